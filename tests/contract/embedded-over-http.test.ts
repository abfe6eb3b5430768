import { afterAll } from "vitest";
import { startPortal, type Portal } from "../portal";
import { contractSuite } from "./suite";

let starting: Promise<Portal> | undefined;
afterAll(async () => (await starting)?.stop());

// One portal for all parts, so no promise depends on coming first.
contractSuite("embedded, over HTTP", async () => {
  starting ??= startPortal();
  const { origin, outbox } = await starting;
  return {
    fetch: (path, init) => fetch(`${origin}${path}`, { ...init, redirect: "manual" }),
    outbox,
    close: () => Promise.resolve(),
  };
});
