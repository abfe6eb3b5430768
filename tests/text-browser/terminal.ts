import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { savedIn, type SavedPdf } from "../saved-pdfs";
import type { Program } from "./programs";

const run = promisify(execFile);

/** Large enough that no page in these tests needs scrolling. */
const SIZE = { columns: 110, rows: 150 };
const PATIENCE_MS = 300_000;
const BETWEEN_LOOKS_MS = 40;

/** w3m keeps the hard space after a one-letter word. */
const withPlainSpaces = (row: string) => row.replaceAll("\u00A0", " ");

/** Whether the programs for a text browser in a terminal are installed. */
export function hasTextBrowser({ name }: Program): boolean {
  try {
    execFileSync(name, ["-version"], { stdio: "ignore" });
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A real text browser in a real terminal: keys go in, the screen's text comes out. */
export class TextBrowser {
  readonly #program: Program;
  readonly #socket: string;
  readonly #home: string;

  private constructor(program: Program, home: string) {
    this.#program = program;
    this.#socket = `portal-${randomUUID()}`;
    this.#home = home;
  }

  /** Opens an address. */
  static async open(program: Program, address: string): Promise<TextBrowser> {
    const home = await mkdtemp(join(tmpdir(), `${program.name}-`));
    const browser = new TextBrowser(program, home);
    const size = ["-x", String(SIZE.columns), "-y", String(SIZE.rows)];
    const command = ["env", `HOME=${home}`, "LANG=C.UTF-8", ...(await program.command(home, address))];
    await mkdir(browser.#downloads);
    const place = ["-c", browser.#downloads];
    await browser.#tmux("-f", "/dev/null", "new-session", "-d", ...size, ...place, ...command);
    return browser;
  }

  /**
   * The text from the top, line by line, without empty lines, bullets and the program's marks on buttons; with plain
   * spaces and without word joiners.
   */
  async lines(): Promise<string[]> {
    const rows = this.#program.page(await this.#rows());
    return rows
      .map((row) => row.replace(/\u00a0/g, " ").replace(/\u2060/g, ""))
      .map((row) => row.replace(/^\s*([•*] |\([\w-]+\) )/, ""))
      .flatMap((row) => (row.trim() === "" ? [] : [row.trim()]));
  }

  /** Waits until the page is complete and one of its lines matches; returns all lines. */
  async read(line: string | RegExp): Promise<string[]> {
    const matches = (row: string) => (typeof line === "string" ? row === line : line.test(row));
    let before = "";
    return this.#until(
      async () => {
        const lines = await this.lines();
        const isDrawn = before === lines.join("\n") && this.#program.isWhole(await this.#rows());
        before = lines.join("\n");
        return isDrawn && lines.some(matches) ? lines : undefined;
      },
      () => `to read ${String(line)}`,
    );
  }

  /** Presses Tab until the cursor is on these words, below a line; then Enter, and waits until another page shows. */
  async press(words: string, below?: string): Promise<void> {
    const lineAt = (await this.#rows()).findIndex((row) => row.trim() === below);
    const onWords = (row: string) =>
      withPlainSpaces(row)
        .replace(/^\s?(\([\w-]+\) )?/, "")
        .startsWith(withPlainSpaces(words));
    await this.#tabTo((row, column, at) => at > lineAt && onWords(row.slice(column)), words);
    const here = await this.#look();
    await this.#keys("Enter");
    await this.#until(
      async () => ((await this.#look()) === here ? undefined : true),
      () => `${words} to lead somewhere`,
    );
  }

  /** Follows the link to a PDF and saves it under the name that the program suggests; works once per browser. */
  async save(words: string): Promise<SavedPdf> {
    await this.press(words);
    for (const { question, keys } of this.#program.saving) {
      await this.#until(
        async () => ((await this.#rows()).some((row) => row.includes(question)) ? true : undefined),
        () => `to be asked: ${question}`,
      );
      await this.#keys(...keys);
    }
    return this.#until(
      async () => (await savedIn(this.#downloads))[0],
      () => `for the PDF of ${words}`,
    );
  }

  /** Presses Tab until the cursor is in the first field below a label, and types into it. */
  async type(label: string, text: string): Promise<void> {
    const labelAt = (await this.#rows()).findIndex((row) => withPlainSpaces(row).trim() === label);
    await this.#tabTo(
      (row, column, at) => at > labelAt && this.#program.isField(row, column),
      `the field ${label}`,
    );
    const { asks } = this.#program;
    if (asks) {
      await this.#keys("Enter");
      await this.#until(
        async () => (asks(await this.#rows()) ? true : undefined),
        () => "to be asked for a text",
      );
    }
    await this.#tmux("send-keys", "-l", text);
    if (asks) await this.#keys("Enter");
    // Until then the cursor moves by itself, as if Tab had worked.
    await this.#until(
      async () =>
        (await this.#rows()).slice(labelAt).some((row) => this.#shows(row, text)) ? true : undefined,
      () => `for what was typed into ${label}`,
    );
  }

  async close(): Promise<void> {
    await this.#tmux("kill-server").catch(() => undefined);
    await rm(this.#home, { recursive: true, force: true });
  }

  get #downloads(): string {
    return join(this.#home, "downloads");
  }

  /** Whether a field holds this text, or as many stars. */
  #shows(row: string, text: string): boolean {
    const { field } = this.#program;
    return [text, "*".repeat(text.length)].some((shown) => row.includes(field(shown)));
  }

  async #tabTo(arrived: (row: string, column: number, at: number) => boolean, wanted: string): Promise<void> {
    for (let step = 0; step < 40; step += 1) {
      const before = await this.#cursor();
      const row = (await this.#rows())[before.y] ?? "";
      if (arrived(row, before.x, before.y)) return;
      await this.#keys("Tab");
      await this.#until(
        async () => {
          const { x, y } = await this.#cursor();
          return x !== before.x || y !== before.y ? true : undefined;
        },
        () => `Tab to go on to ${wanted}`,
      );
    }
    throw new Error(`Tab does not reach ${wanted}:\n${(await this.lines()).join("\n")}`);
  }

  async #cursor(): Promise<{ readonly x: number; readonly y: number }> {
    const [x = 0, y = 0] = (await this.#tmux("display-message", "-p", "#{cursor_x},#{cursor_y}"))
      .split(",")
      .map(Number);
    return { x, y };
  }

  async #look(): Promise<string> {
    return JSON.stringify([await this.#cursor(), await this.#rows()]);
  }

  async #rows(): Promise<string[]> {
    return (await this.#tmux("capture-pane", "-p")).split("\n").slice(0, SIZE.rows);
  }

  async #keys(...keys: readonly string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
  }

  async #until<Value>(look: () => Promise<Value | undefined>, awaited: () => string): Promise<Value> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (Date.now() > end)
        throw new Error(
          `Waited ${awaited()}:\n${(await this.#rows()).filter((row) => row !== "").join("\n")}`,
        );
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
    }
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    // In its own terminal, even if the tests run inside tmux.
    const env = {
      ...process.env,
      TMUX: "",
      HOME: this.#home,
      LANG: "C.UTF-8",
      TERM: "xterm",
    };
    return (await run("tmux", ["-L", this.#socket, ...args], { env })).stdout;
  }
}
