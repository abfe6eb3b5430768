import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { MIGRATED_POSTGRES, withoutMonth } from "../store/schema/postgres-schema.server";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { readArchive } from "./postgres-tools.server";

/** Opens a backup: pg_dump's archive, decrypted. Each call reads it from the start. */
export type OpenBackup = () => Promise<Readable>;

/** An entry of an archive's list of contents. */
interface Entry {
  /** Such as `TABLE DATA`. */
  readonly what: string;
  readonly schema: string;
  /** Such as `accounts`, or `accounts accounts_pkey`. */
  readonly tag: string;
}

/** The contents of an archive, as a restore checks them before it writes anything. */
export interface Contents {
  /** The tables with rows, in the order of the archive. */
  readonly tables: readonly string[];
  /** Entries that no migration makes, in words. */
  readonly foreign: readonly string[];
}

/** Reads an archive's list of contents. Nothing in the archive runs. @throws UnreadableBackup, StartRefusal */
export async function contentsOf(open: OpenBackup): Promise<Contents> {
  const entries = entriesOf(await readArchive(await open(), ["--list"], text));
  const own = entries.find(({ what, tag }) => what === "TABLE" && tag === MIGRATIONS)?.schema;
  return {
    tables: entries.filter(({ what }) => what === "TABLE DATA").map(({ tag }) => tag),
    foreign: entries.filter((entry) => !isOwn(entry, own)).map(entryName),
  };
}

const MIGRATIONS = "kysely_migration";
const ENTRY = /^\d+; \d+ \d+ ([A-Z][A-Z ]*[A-Z]) (\S+) (.+) \S+$/;

/** A line that is no comment and can't be read is an entry of an unknown kind. */
function entriesOf(list: string): readonly Entry[] {
  const lines = list.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  return lines.map((line) => {
    const [, what = "ENTRY", schema = "", tag = line] = ENTRY.exec(line) ?? [];
    return { what, schema, tag };
  });
}

/** A restore leaves these out. Its own tables have the rights that `portal migrate` gives. */
const LEFT_OUT = ["ACL", "COMMENT", "DEFAULT ACL", "EXTENSION", "SCHEMA"];

/** The object of the portal's schema that an entry is about. */
const OBJECTS: Readonly<Record<string, (tag: string) => string>> = {
  TABLE: (tag) => `table ${tag}`,
  "TABLE DATA": (tag) => `table ${tag}`,
  "TABLE ATTACH": (tag) => `table ${tag}`,
  DEFAULT: (tag) => `table ${tag.split(" ")[0] ?? ""}`,
  SEQUENCE: (tag) => `sequence ${tag}`,
  "SEQUENCE SET": (tag) => `sequence ${tag}`,
  "SEQUENCE OWNED BY": (tag) => `sequence ${tag}`,
  INDEX: (tag) => `index ${tag}`,
  "INDEX ATTACH": (tag) => `index ${tag}`,
  CONSTRAINT: constraint,
  "FK CONSTRAINT": constraint,
  FUNCTION: (tag) => `function ${tag}`,
};

function constraint(tag: string): string {
  const [table = "", name = ""] = tag.split(" ");
  return `constraint ${name} on ${table}`;
}

/** An archive's list doesn't say to which table an index belongs. */
const KNOWN: ReadonlySet<string> = new Set(
  [...MIGRATED_POSTGRES.keys()].map((name) =>
    name.startsWith("index ") ? name.replace(/ on .*/, "") : name,
  ),
);

function isOwn({ what, schema, tag }: Entry, own: string | undefined): boolean {
  if (LEFT_OUT.includes(what)) return true;
  const object = OBJECTS[what]?.(tag);
  return object !== undefined && schema === own && KNOWN.has(withoutMonth(object));
}

function entryName({ what, schema, tag }: Entry): string {
  return `${what.toLowerCase()} ${schema}.${tag}`;
}

/** The names of the migrations that had run. @throws UnreadableBackup, StartRefusal */
export async function migrationsIn(open: OpenBackup): Promise<readonly string[]> {
  const words = ["--data-only", `--table=${MIGRATIONS}`, "--file=-"];
  const names = await readArchive(await open(), words, async (script) => {
    let soFar = "";
    for await (const chunk of script) {
      soFar += String(chunk);
      const [, rows] = /^COPY [^\n]* FROM stdin;\n([^]*?)^\\\.$/m.exec(soFar) ?? [];
      if (rows !== undefined) return rows.split("\n").flatMap((row) => row.split("\t")[0] || []);
      if (soFar.length > MOST_CHARACTERS) return undefined;
    }
    return undefined;
  });
  if (names === undefined) throw new StartRefusal("the backup does not say which migrations had run");
  return names;
}

const MOST_CHARACTERS = 1_000_000;

/** The rows of a table in the archive, and the table that they go to. */
export interface LoadedTable {
  /** The table in the archive. */
  readonly from: string;
  /** Rows of audit partitions are copied into the parent table: the target may have different months. */
  readonly to: string;
  /** Its columns, in order. */
  readonly columns: readonly string[];
}

/** The tables with rows that a restore loads. The others are made and filled by the migrations. */
export function loadedTables(
  tables: readonly string[],
  columnsOf: ReadonlyMap<string, readonly string[]>,
): readonly LoadedTable[] {
  return tables.filter(isLoaded).map((from) => {
    const to = from.startsWith("audit_events_") ? "audit_events" : from;
    return { from, to, columns: columnsOf.get(to) ?? [] };
  });
}

function isLoaded(table: string): boolean {
  return !table.startsWith("kysely_");
}

const COPY = /^COPY \S+?\.(\S+) \((.*)\) FROM stdin;$/;
const NEW_LINE = 0x0a;
const END = Buffer.from("\\.\n");
const END_OF_ROWS = Buffer.from("\n\\.\n");
const ENDS_EARLY = "the backup ends early";

/**
 * Yields the rows of these tables from pg_restore's script, each table followed by the line that ends it, and nothing
 * else of the script.
 * @throws StartRefusal if the archive has other tables or columns, or ends early
 */
export async function* rowsIn(
  script: AsyncIterable<Buffer>,
  tables: readonly LoadedTable[],
): AsyncGenerator<Buffer> {
  const left = [...tables];
  const reader = new CopyReader(script);
  try {
    for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
      const [, from, columns] = COPY.exec(line) ?? [];
      if (from === undefined || columns === undefined) continue;
      const isPassedOn = isLoaded(from);
      if (isPassedOn) requireSame(left.shift(), from, columns);
      for await (const rows of reader.rows()) if (isPassedOn) yield rows;
    }
  } finally {
    await reader.close();
  }
  if (left.length > 0) throw new StartRefusal(ENDS_EARLY);
}

/** Reads a script of COPY statements, whose chunks may end anywhere. */
class CopyReader {
  readonly #chunks: AsyncIterator<Buffer>;
  /** What has been read but not returned. Always begins at the start of a line. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(script: AsyncIterable<Buffer>) {
    this.#chunks = script[Symbol.asyncIterator]();
  }

  /** The next line, outside of rows. Undefined at the end of the script. */
  async line(): Promise<string | undefined> {
    let end = this.#rest.indexOf(NEW_LINE);
    while (end < 0) {
      if (!(await this.#readMore())) return undefined;
      end = this.#rest.indexOf(NEW_LINE);
    }
    return this.#take(end + 1).toString("utf8", 0, end);
  }

  /** Whole rows after a COPY statement, with the line that ends them. @throws StartRefusal if that line is missing */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const isAtEnd = this.#rest.subarray(0, END.length).equals(END);
      const end = isAtEnd ? 0 : this.#rest.indexOf(END_OF_ROWS) + 1;
      const isLast = isAtEnd || end > 0;
      const length = isLast ? end + END.length : this.#rest.lastIndexOf(NEW_LINE) + 1;
      if (length > 0) yield this.#take(length);
      if (isLast) return;
      if (!(await this.#readMore())) throw new StartRefusal(ENDS_EARLY);
    }
  }

  /** Stops reading the script. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  async #readMore(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    const chunk: Buffer = next.value;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    return true;
  }
}

function requireSame(expected: LoadedTable | undefined, from: string, listed: string): void {
  const plain = (columns: readonly string[]) => columns.join().replaceAll('"', "");
  if (expected?.from !== from || plain(expected.columns) !== plain(listed.split(", ")))
    throw new StartRefusal(`the backup's columns of ${from} are not those that the migrations make`);
}
