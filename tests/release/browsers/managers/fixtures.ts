import { test as base } from "@playwright/test";
import { startPortal, type Portal } from "../../../portal";

export { expect } from "@playwright/test";

/** A project's browser, and its path. */
export interface ManagerChoice {
  readonly kind: "firefox" | "chromium";
  readonly path: string;
}

interface TestFixtures {
  readonly portal: Portal;
}

interface WorkerFixtures {
  readonly managerChoice: ManagerChoice;
}

/** Tests of a browser's own password manager; each starts its own browser, and a portal with customers of its own. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  managerChoice: [
    { kind: "firefox", path: "" },
    { option: true, scope: "worker" },
  ],
  portal: async ({}, use) => {
    const portal = await startPortal();
    // Passkeys need a name.
    await use({ ...portal, origin: `http://localhost:${portal.port}` });
    await portal.stop();
  },
});
