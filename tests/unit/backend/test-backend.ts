import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openBackend, type Backend, type BackendOptions, type SmsTexts } from "~/backend/index.server";
import { defaultLimits } from "~/platform/limits";
import { makeLog } from "~/platform/log.server";
import type { Way } from "../../contract/way";

/** 20 November 2026, noon. */
export const NOON = Date.UTC(2026, 10, 20, 12);

const text = (purpose: string) => (facts: { code: string; host: string | undefined }) =>
  `Tarnea: ${purpose}: ${facts.code}\n\n@${facts.host ?? "nowhere"} #${facts.code}`;

/** Words for tests: the purpose, the code, the last line. */
export const TEST_TEXTS: SmsTexts = {
  login: text("login"),
  register: text("register"),
  password: text("password"),
  usernameChange: text("usernameChange"),
  usernameRemind: text("usernameRemind"),
  documentPassword: text("documentPassword"),
};

/** A backend of a test: its data directory is its own, and its time stands still unless it is moved. */
export interface TestBackend extends Way {
  readonly backend: Backend;
  readonly dataDir: string;
  /** What was logged. */
  readonly logged: string[];
  advance(ms: number): void;
  /** Calls back whenever the backend looks at the clock: in the midst of what it does, transactions included. */
  onClock(look: () => void): void;
  /** Rows of the database, as another process sees them. */
  query(sql: string, ...parameters: unknown[]): Record<string, unknown>[];
  /** Changes the database as another process would: the help desk, say. */
  change(sql: string, ...parameters: unknown[]): void;
  /** What another backend finds when this process is killed right now: the files as they are. */
  afterCrash(): Promise<TestBackend>;
}

/** Options of a test, beside its defaults. */
export type TestOptions = Partial<BackendOptions>;

/** Opens a backend on a new data directory, or on the one that is named. */
export async function openTestBackend(options: TestOptions = {}): Promise<TestBackend> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "portal-backend-"));
  const logged: string[] = [];
  let now = options.clock?.() ?? NOON;
  let onClock: (() => void) | undefined;
  const backend = await openBackend({
    mode: "demo",
    database: { kind: "sqlite" },
    publicOrigin: undefined,
    limits: defaultLimits("demo"),
    log: makeLog("debug", { write: (line: string) => logged.push(line) }),
    smsTexts: TEST_TEXTS,
    ...options,
    dataDir,
    clock: () => {
      onClock?.();
      return now;
    },
  });
  const file = join(dataDir, "portal.db");
  let isClosed = false;
  const testBackend: TestBackend = {
    backend,
    dataDir,
    logged,
    fetch: (path, init) => backend.handle(new Request(`http://backend.invalid${path}`, init)),
    outbox: () => backend.outbox(),
    advance: (ms) => {
      now += ms;
    },
    onClock: (look) => {
      onClock = look;
    },
    query: (sql, ...parameters) =>
      withDatabase(file, (db) => db.prepare(sql).all(...parameters) as Record<string, unknown>[]),
    change: (sql, ...parameters) => {
      withDatabase(file, (db) => db.prepare(sql).run(...parameters));
    },
    afterCrash: () => {
      const copy = mkdtempSync(join(tmpdir(), "portal-backend-"));
      cpSync(dataDir, copy, { recursive: true });
      return openTestBackend({ ...options, dataDir: copy, clock: () => now });
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await backend.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return testBackend;
}

function withDatabase<Value>(file: string, work: (db: Database.Database) => Value): Value {
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Runs a promise fifty times at once. */
export function fifty<Value>(start: (nth: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: 50 }, (_, nth) => start(nth)));
}
