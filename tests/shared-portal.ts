import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";
import { freshCustomer, type DemoCustomer } from "./demo-customers";
import { startPortal, type Portal, type PublicPortal } from "./portal";

/** More new customers than any one file takes; a portal has ninety. */
const CUSTOMERS_OF_A_FILE = 40;
const CUSTOMERS = 90;

/** The portal of this worker, which tests ask for one file after the other. */
let running: Portal | undefined;
let customersTaken = 0;

/** A portal that other test files use, too. */
export type SharedPortal = PublicPortal & Pick<Portal, "dataDir">;

/**
 * The portal that the files of a worker share, for tests that look at neither its log nor its limits: a start takes
 * longer than most files. Each file checks at its end that the portal has logged no error meanwhile.
 */
export function sharedPortal(): SharedPortal {
  let portal: Portal | undefined;
  let logBefore = 0;
  beforeAll(async () => {
    portal = await portalWithCustomers();
    logBefore = portal.log().length;
  });
  afterAll(() => {
    expect(portal?.log().slice(logBefore)).not.toMatch(/"level":"error"/);
  });
  const here = (): Portal => {
    if (!portal) throw new Error("the shared portal has not started yet");
    return portal;
  };
  return {
    get origin() {
      return here().origin;
    },
    get port() {
      return here().port;
    },
    get dataDir() {
      return here().dataDir;
    },
    outbox: () => here().outbox(),
    messagesTo: (phone) => here().messagesTo(phone),
    lastCode: (phone) => here().lastCode(phone),
  };
}

/** A customer who has not registered at the shared portal yet. */
export function newCustomer(): DemoCustomer {
  return freshCustomer((customersTaken += 1));
}

async function portalWithCustomers(): Promise<Portal> {
  if (running && customersTaken + CUSTOMERS_OF_A_FILE > CUSTOMERS) {
    await running.stop();
    running = undefined;
  }
  if (running) return running;
  const started = await startPortal();
  running = started;
  customersTaken = 0;
  cleanUpAtExit(started);
  return started;
}

/** Removes the data of a portal that runs as long as this worker; `startPortal` sees to its process. */
export function cleanUpAtExit({ dataDir }: Portal): void {
  process.once("exit", () => {
    rmSync(dataDir, { recursive: true, force: true });
  });
  // Vitest ends its workers by this signal, and without a listener nothing would be cleaned up.
  if (process.listenerCount("SIGTERM") === 0) process.once("SIGTERM", () => process.exit());
}
