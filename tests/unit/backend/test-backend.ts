import { seedDemoCustomers } from "~/demo/seeding.server";
import { cpSync, rmSync } from "node:fs";
import { openBackend, type Backend, type BackendOptions } from "~/backend/open-backend.server";
import type { SmsTexts } from "~/backend/types";
import { type CallMessage, responseOf } from "~/contract/messages.server";
import { confirmationTexts } from "~/i18n/confirmation-texts.server";
import { defaultLimits } from "~/platform/config/limits";
import { makeLog } from "~/platform/telemetry/log.server";
import type { Way } from "../../contract/way";
import type { DatabaseKind } from "../../database";
import { PATIENT_PDF, SHARED_PDF_WORK } from "./documents/shared-pdf-work";
import {
  emptyPlace,
  filledPlace,
  newDataDir,
  placeOnPostgres,
  placeOnSqlite,
  type Place,
} from "./test-place";

/** 20 November 2026, noon UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12);

const text = (purpose: string) => (facts: { code: string; host: string | undefined }) =>
  `Tarnea: ${purpose}: ${facts.code}\n\n@${facts.host ?? "nowhere"} #${facts.code}`;

/** Message texts for tests: the purpose, the code, the last line. */
const TEST_TEXTS: SmsTexts = {
  login: text("login"),
  register: text("register"),
  password: text("password"),
  usernameChange: text("usernameChange"),
  usernameRemind: text("usernameRemind"),
  documentPassword: text("documentPassword"),
  factors: text("factors"),
};

const TEST_BRAND = {
  name: "Tarnea Ubezpieczenia",
  colour: "#006B75",
  claims: { phone: "800 100 200", url: undefined, assistance: undefined },
};

/** The cheapest argon2id there is: tests sign in thousands of times. */
const LIGHT_HASH = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** A backend for tests, with its own data directory and a clock that moves only when the test moves it. */
export interface TestBackend extends Way {
  readonly backend: Backend;
  readonly place: Place;
  readonly dataDir: string;
  readonly logged: string[];
  advance(ms: number): void;
  /** The backend's time, in ms. */
  readonly now: () => number;
  /** Calls back whenever the backend reads the clock, even in the middle of a transaction. */
  onClock(look: () => void): void;
  /** Queries the database as another process would. */
  query(sql: string, ...parameters: unknown[]): Promise<Record<string, unknown>[]>;
  /** Changes the database as another process would: an operator's, say. */
  change(sql: string, ...parameters: unknown[]): Promise<void>;
  /** Opens a backend on the data that would remain if this process were killed right now. */
  afterCrash(): Promise<TestBackend>;
}

/** Options for a test backend, like the kind of a new database or a place left by another backend. */
export type TestOptions = Partial<BackendOptions> & {
  readonly kind?: DatabaseKind;
  readonly place?: Place;
  /** How long refusals for exceeding a limit are held; not at all by default, since tests make them by the thousand. */
  readonly refusalHoldMs?: number;
};

/** Calls a backend as over HTTP, without a connection. */
export async function fetchFrom(backend: Backend, path: string, init?: RequestInit): Promise<Response> {
  return responseOf(await backend.handle(callOf(new Request(`http://backend.invalid${path}`, init))));
}

function callOf({ method, url, headers, body, signal }: Request): CallMessage {
  return {
    method,
    path: new URL(url).pathname,
    headers: Object.fromEntries(headers),
    body: body?.values({ preventCancel: true }) ?? "",
    left: () => signal,
  };
}

/** Opens a backend on the given database and data directory, or on new ones. */
export async function openTestBackend(options: TestOptions = {}): Promise<TestBackend> {
  const place = await placeFor(options);
  const logged: string[] = [];
  let now = options.clock?.() ?? NOON;
  let onClock: (() => void) | undefined;
  const { dataDir } = place;
  const usual = testOptions(place, (line) => logged.push(line));
  const backend = await openBackend({
    ...usual,
    ...options,
    limits: { ...(options.limits ?? usual.limits), REFUSAL_HOLD_MS: options.refusalHoldMs ?? 0 },
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
    fetch: (path, init) => fetchFrom(backend, path, init),
    outbox: () => backend.outbox(),
    advance: (ms) => {
      now += ms;
    },
    now: () => now,
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
      // A PostgreSQL server has only what was committed, so there is nothing to copy.
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

/** The usual options of a test backend on this place. */
export function testOptions(
  { database, dataDir }: Place,
  write: (line: string) => void = () => undefined,
): BackendOptions {
  return {
    mode: "demo",
    publicOrigin: undefined,
    limits: { ...defaultLimits("demo"), ...PATIENT_PDF },
    log: makeLog("debug", { write }),
    smsTexts: TEST_TEXTS,
    confirmationTexts: confirmationTexts(TEST_BRAND),
    factors: {
      // Passkeys only for tests that give the backend an origin.
      offered: ["app", "passkey"],
      passkeysSignIn: true,
      issuer: TEST_BRAND.name,
      nameOf: { app: "Aplikacja", passkey: "Klucz dostępu" },
    },
    seed: seedDemoCustomers,
    pdf: SHARED_PDF_WORK,
    passwordCost: LIGHT_HASH,
    // No request waits too long, however busy the machine is.
    stopwatch: () => 0,
    database,
    dataDir,
  };
}

async function placeFor(options: TestOptions): Promise<Place> {
  if (options.place) return options.place;
  if (options.dataDir !== undefined) return placeOnSqlite(options.dataDir);
  // A filled place can be shared only by tests with the usual settings.
  const isUsual = options.mode === undefined && !options.keyring && !options.clock;
  const { kind = "sqlite" } = options;
  return isUsual ? filledPlace(kind, fill) : emptyPlace(kind);
}

async function fill(place: Place): Promise<void> {
  await (await openTestBackend({ place })).backend.close();
}

/** Starts something fifty times at once. */
export function fifty<Value>(start: (nth: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: 50 }, (_, nth) => start(nth)));
}
