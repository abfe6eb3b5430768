import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A text browser: how to start it, how it shows a page, and how to type into a field. */
export interface Program {
  readonly name: "w3m" | "lynx";
  /** The command that shows an address; `home` is an empty home folder. */
  readonly command: (home: string, address: string) => Promise<readonly string[]>;
  /** Whether the page has finished loading. */
  readonly isWhole: (rows: readonly string[]) => boolean;
  /** The page without the program's own lines. */
  readonly page: (rows: readonly string[]) => readonly string[];
  /** Whether the cursor is in a text field. */
  readonly isField: (row: string, column: number) => boolean;
  /** The look of a field of the usual length with this text. */
  readonly field: (text: string) => string;
  readonly checked: string;
  /** Whether Enter has opened a field; undefined if typing needs no Enter. */
  readonly asks?: (rows: readonly string[]) => boolean;
  /** The questions before it saves a file, one after the other, and the keys that answer. */
  readonly saving: readonly { readonly question: string; readonly keys: readonly string[] }[];
}

const FIELD_LENGTH = 20;

/** w3m keeps cookies without asking, writes no history, quits without asking and knows no program for PDFs. */
const W3M_OPTIONS = [
  "accept_cookie=1",
  "show_cookie=0",
  "use_history=0",
  "confirm_qq=0",
  "display_image=0",
  "mailcap=/dev/null",
];

const w3m: Program = {
  name: "w3m",
  command: (_, address) => {
    const options = W3M_OPTIONS.flatMap((option) => ["-o", option]);
    return Promise.resolve(["w3m", "-cookie", "-I", "UTF-8", "-O", "UTF-8", ...options, address]);
  },
  isWhole: (rows) => rows.at(-1)?.includes("Viewing <") === true,
  page: (rows) => rows.slice(0, -1),
  isField: (row, column) => row[column - 1] === "[",
  field: (text) => `[${text.padEnd(FIELD_LENGTH)}]`,
  checked: "[*]",
  // In the bottom line.
  asks: (rows) => rows.at(-1)?.includes(":") === true,
  saving: [{ question: "Save file to: ", keys: ["Enter"] }],
};

/** In place of the system's lynx.cfg: keep cookies without asking, show the cursor at the focus, open no PDFs. */
const LYNX_SETTINGS = [
  "ACCEPT_ALL_COOKIES:TRUE",
  "CHARACTER_SET:utf-8",
  "ASSUME_CHARSET:utf-8",
  "SHOW_CURSOR:TRUE",
  "SHOW_COLOR:never",
  "GLOBAL_MAILCAP:/dev/null",
];

const lynx: Program = {
  name: "lynx",
  command: async (home, address) => {
    const settings = join(home, "lynx.cfg");
    await writeFile(settings, `${LYNX_SETTINGS.join("\n")}\n`);
    return ["lynx", `-cfg=${settings}`, "-nopause", address];
  },
  // Above two lines of help, lynx says what the cursor is on.
  isWhole: (rows) => /^(\(|Enter text|Commands: )/.test(rows.at(-3) ?? ""),
  // The first line is the title.
  page: (rows) => rows.slice(1, -3),
  isField: (row, column) => row[column] === "_",
  field: (text) => text.padEnd(FIELD_LENGTH, "_"),
  checked: "[X]",
  saving: [
    { question: "D)ownload, or C)ancel", keys: ["d"] },
    // A page, with help in front.
    { question: "Save to disk", keys: ["Tab", "Enter"] },
    { question: "Enter a filename: ", keys: ["Enter"] },
  ],
};

/** The text browsers we test in. */
export const PROGRAMS: readonly Program[] = [w3m, lynx];
