import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A text browser: how it is started, how it shows a page, and how one types into a field. */
export interface Program {
  readonly name: "w3m" | "lynx";
  /** The command that shows an address; `home` is an empty folder of its own. */
  readonly command: (home: string, address: string) => Promise<readonly string[]>;
  /** Whether a page stands there, and nothing is on its way. */
  readonly isWhole: (rows: readonly string[]) => boolean;
  /** The page, without the program's own lines. */
  readonly page: (rows: readonly string[]) => readonly string[];
  /** Whether the cursor stands in a field to type into. */
  readonly isField: (row: string, column: number) => boolean;
  /** A field of the usual length, with this in it. */
  readonly field: (text: string) => string;
  readonly checked: string;
  /** What tells that a field has been opened by Enter; undefined where one types at once. */
  readonly asks?: (rows: readonly string[]) => boolean;
}

const FIELD_LENGTH = 20;

/** W3m keeps cookies without asking, writes no history, and asks nothing at its end. */
const W3M_OPTIONS = ["accept_cookie=1", "show_cookie=0", "use_history=0", "confirm_qq=0", "display_image=0"];

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
  // In its bottom line.
  asks: (rows) => rows.at(-1)?.includes(":") === true,
};

/** In place of the system's: lynx keeps cookies without asking, and the cursor stands where the focus is. */
const LYNX_SETTINGS = [
  "ACCEPT_ALL_COOKIES:TRUE",
  "CHARACTER_SET:utf-8",
  "ASSUME_CHARSET:utf-8",
  "SHOW_CURSOR:TRUE",
  "SHOW_COLOR:never",
];

const lynx: Program = {
  name: "lynx",
  command: async (home, address) => {
    const settings = join(home, "lynx.cfg");
    await writeFile(settings, `${LYNX_SETTINGS.join("\n")}\n`);
    return ["lynx", `-cfg=${settings}`, "-nopause", address];
  },
  // Above two lines of help it says what the cursor stands on.
  isWhole: (rows) => /^(\(|Enter text|Commands: )/.test(rows.at(-3) ?? ""),
  // The first line is the title.
  page: (rows) => rows.slice(1, -3),
  isField: (row, column) => row[column] === "_",
  field: (text) => text.padEnd(FIELD_LENGTH, "_"),
  checked: "[X]",
};

/** The text browsers that the portal is tried in. */
export const PROGRAMS: readonly Program[] = [w3m, lynx];
