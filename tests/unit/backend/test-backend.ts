import { cpSync, rmSync } from "node:fs";
import { openBackend, type Backend, type BackendOptions, type SmsTexts } from "~/backend/index.server";
import { defaultLimits } from "~/platform/limits";
import { makeLog } from "~/platform/log.server";
import type { Way } from "../../contract/way";
import type { DatabaseKind } from "../../database";
import {
  emptyPlace,
  filledPlace,
  newDataDir,
  placeOnPostgres,
  placeOnSqlite,
  type Place,
} from "./test-place";

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
  readonly place: Place;
  readonly dataDir: string;
  /** What was logged. */
  readonly logged: string[];
  advance(ms: number): void;
  /** Calls back whenever the backend looks at the clock: in the midst of what it does, transactions included. */
  onClock(look: () => void): void;
  /** Rows of the database, as another process sees them. */
  query(sql: string, ...parameters: unknown[]): Promise<Record<string, unknown>[]>;
  /** Changes the database as another process would: the help desk, say. */
  change(sql: string, ...parameters: unknown[]): Promise<void>;
  /** What another backend finds when this process is killed right now. */
  afterCrash(): Promise<TestBackend>;
}

/** Options of a test, beside its defaults: the kind of a new database, or a place that another backend has left. */
export type TestOptions = Partial<BackendOptions> & { readonly kind?: DatabaseKind; readonly place?: Place };

/** Opens a backend on a new database and data directory, or on those that are named. */
export async function openTestBackend(options: TestOptions = {}): Promise<TestBackend> {
  const place = await placeFor(options);
  const logged: string[] = [];
  let now = options.clock?.() ?? NOON;
  let onClock: (() => void) | undefined;
  const { database, dataDir } = place;
  const backend = await openBackend({
    mode: "demo",
    publicOrigin: undefined,
    limits: defaultLimits("demo"),
    log: makeLog("debug", { write: (line: string) => logged.push(line) }),
    smsTexts: TEST_TEXTS,
    ...options,
    database,
    dataDir,
    clock: () => {
      onClock?.();
      return now;
    },
  });
  let isClosed = false;
  return {
    backend,
    place,
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
    query: (text, ...parameters) => place.query(text, ...parameters),
    change: async (text, ...parameters) => {
      await place.query(text, ...parameters);
    },
    afterCrash: () => {
      const copy = newDataDir();
      cpSync(dataDir, copy, { recursive: true });
      // What was not committed is nowhere on a server.
      const left = place.on ? placeOnPostgres(place.on, copy) : placeOnSqlite(copy);
      return openTestBackend({ ...options, place: left, clock: () => now });
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await backend.close();
      rmSync(dataDir, { recursive: true, force: true });
      place.giveBack?.();
    },
  };
}

async function placeFor(options: TestOptions): Promise<Place> {
  if (options.place) return options.place;
  if (options.dataDir !== undefined) return placeOnSqlite(options.dataDir);
  // A place that was filled with other settings than these would not be what the test asked for.
  const isUsual = options.mode === undefined && !options.keyring && !options.clock;
  const { kind = "sqlite" } = options;
  return isUsual ? filledPlace(kind, fill) : emptyPlace(kind);
}

async function fill(place: Place): Promise<void> {
  await (await openTestBackend({ place })).backend.close();
}

/** Runs a promise fifty times at once. */
export function fifty<Value>(start: (nth: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: 50 }, (_, nth) => start(nth)));
}
