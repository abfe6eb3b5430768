import { test as base, type ConsoleMessage } from "@playwright/test";
import { startAttachedPortal } from "../attached-portals";
import { startPortal, type PublicPortal } from "../portal";
import { startTopology } from "../topology/topology";
import { Person } from "./person";

export { expect } from "@playwright/test";

interface OfATest {
  /** A new visitor at the browser. */
  readonly person: Person;
  /** What this test may write to the console, besides the browser's own note about a refused form. */
  readonly expectedOnConsole: RegExp[];
  readonly quietConsole: undefined;
}

/**
 * How the portal is run: one process with its own backend, as `npm start` does; with a second portal as its backend,
 * over the network, like an insurer's own; or as operators run it, behind nginx with TLS.
 */
export type House = "alone" | "attached" | "deployed";

/** A project's choices. */
export interface OfAProject {
  readonly house: House;
}

interface OfAWorker extends OfAProject {
  /** One portal for all tests of a worker. It allows one customer to sign in as often as the tests do. */
  readonly portal: PublicPortal;
}

/** Chromium's own note on every 400, which every refused form is. */
const REFUSED_FORM = /^Failed to load resource: the server responded with a status of 400/;
/** Remix's own note when a visitor goes on before a load is answered: back and forward, quickly. */
const OVERTAKEN_LOAD = /^AbortError: signal is aborted without reason/;

const START = { alone: startPortal, attached: startAttachedPortal, deployed: startTopology };

/**
 * Every test has its own browser context and fails on anything unexpected on the console: a React hydration error, a
 * breach of the content security policy, a missing file.
 */
export const test = base.extend<OfATest, OfAWorker>({
  house: ["alone", { option: true, scope: "worker" }],
  portal: [
    async ({ house }, use) => {
      const portal = await START[house]({ env: { LIMIT_CODE_TRIES_PER_DAY: "100000" } });
      await use(portal);
      await portal.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ portal }, use) => use(portal.origin),
  expectedOnConsole: async ({}, use) => use([REFUSED_FORM, OVERTAKEN_LOAD]),
  quietConsole: [
    async ({ context, expectedOnConsole }, use) => {
      const heard: string[] = [];
      const listen = (message: ConsoleMessage) => {
        if (message.type() === "error" || message.type() === "warning") heard.push(message.text());
      };
      context.on("console", listen);
      context.on("weberror", (error) => heard.push(error.error().stack ?? error.error().message));
      await use(undefined);
      const unexpected = heard.filter((text) => !expectedOnConsole.some((pattern) => pattern.test(text)));
      if (unexpected.length > 0) throw new Error(`Unexpected on the console:\n${unexpected.join("\n")}`);
    },
    { auto: true },
  ],
  person: async ({ page, portal, javaScriptEnabled }, use) =>
    use(new Person(page, portal, javaScriptEnabled)),
});
