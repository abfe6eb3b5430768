import { test as base, type ConsoleMessage } from "@playwright/test";
import { startAttachedPortal } from "../attached-portals";
import { startPortal, type PublicPortal } from "../portal";
import { startTopology } from "../topology/topology";
import { Person } from "./person";

export { expect } from "@playwright/test";

interface OfATest {
  /** Somebody in front of the browser, who has not been here before. */
  readonly person: Person;
  /** What may appear on the console of this test, besides the browser's own note about a refused form. */
  readonly expectedOnConsole: RegExp[];
  readonly quietConsole: undefined;
}

/**
 * How the portal is run: one process with its own backend, as `npm start` does; the same with a second portal for its
 * backend, over the wire, as an insurer's own would be; or as operators run it, behind nginx with TLS.
 */
export type House = "alone" | "attached" | "deployed";

/** What a project chooses. */
export interface OfAProject {
  readonly house: House;
}

interface OfAWorker extends OfAProject {
  /** One portal for all tests of a worker. Sign-ins of one customer may follow each other as fast as tests do. */
  readonly portal: PublicPortal;
}

/** Chromium's own note whenever an answer is a 400, as every refused form is. */
const REFUSED_FORM = /^Failed to load resource: the server responded with a status of 400/;
/** Remix's own note, when the answer to a load was on its way and the person had gone on: back and forward, quickly. */
const OVERTAKEN_LOAD = /^AbortError: signal is aborted without reason/;

const START = { alone: startPortal, attached: startAttachedPortal, deployed: startTopology };

/**
 * Every test has a browser context of its own, and fails when anything unexpected is on the console: an error of React's
 * hydration, a breach of the content security policy, a file that is not there.
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
