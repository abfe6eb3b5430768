import { createServer, type Server } from "node:http";
import type { Page } from "@playwright/test";
import { ANNA, JAN } from "../../demo-customers";
import { startPortal } from "../../portal";
import { freePort } from "../../portal-process";
import { expect, test } from "../fixtures";
import { Person } from "../person";
import { effectsHaveRun } from "../requests-of-a-page";

test("values typed before hydration survive it and are what is sent", async ({ person, page }) => {
  await person.open("/home/cookies");
  await person.button("Akceptuję i przechodzę dalej").click();
  await expect(page).toHaveURL("/home");

  let letThrough = () => {};
  const gate = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route("**/assets/*.js", async (route) => {
    await gate;
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  await person.field("username").fill(JAN.username);
  await person.field("password").fill(JAN.password);
  letThrough();
  await person.alive();
  await expect(person.field("username")).toHaveValue(JAN.username);
  await expect(person.field("password")).toHaveValue(JAN.password);
  await person.button("Zaloguj się").click();
  await expect(page).toHaveURL("/home/mfa");
});

test("a form can be sent before hydration", async ({ person, page }) => {
  await person.open("/home/cookies");
  await person.button("Akceptuję i przechodzę dalej").click();
  await expect(page).toHaveURL("/home");
  await page.route("**/assets/*.js", () => undefined);
  await page.reload({ waitUntil: "commit" });
  await person.login(JAN);
  await expect(page).toHaveURL("/home/mfa");
});

test("whichever script fails to load, the form works", async ({ person, page, expectedOnConsole }) => {
  // Chromium's words for it; for a nested import it has none.
  expectedOnConsole.push(/net::ERR_FAILED/, /Failed to fetch dynamically imported module/, /^$/);
  await person.arrive();
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith(".js")),
  );
  const names = [...new Set(scripts)];
  expect(names.length).toBeGreaterThan(2);
  for (const [nth, name] of names.entries()) {
    await page.route(`**${name}`, (route) => route.abort());
    await page.goto("/home");
    await person.login({ username: `nie.ma.tu.${nth}`, password: "Zle-Haslo-1!" });
    await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło");
    await page.unroute(`**${name}`);
  }
});

test("in a browser without TextEncoderStream, the page is not hydrated, and works", async ({
  page,
  portal,
  expectedOnConsole,
}) => {
  // Remix's own inline script needs it.
  expectedOnConsole.push(/^ReferenceError: TextEncoderStream is not defined/);
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "TextEncoderStream");
  });
  await noteEndOfScript(page);
  const person = new Person(page, portal, false);
  await person.arrive();
  await endOfScript(page);
  await expect(person.heading).toHaveText("Zaloguj się");
  await person.login(ANNA);
  await expect(page).toHaveURL("/home/mfa");
  await person.confirm(await portal.lastCode(ANNA.phone));
  await expect(page).toHaveURL("/cp");
});

test("in a browser without Array.prototype.at (Chrome 91, Safari 15.3), the page is not hydrated, and works", async ({
  page,
  portal,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Array.prototype, "at");
  });
  await noteEndOfScript(page);
  const person = new Person(page, portal, false);
  await person.arrive();
  await endOfScript(page);
  await expect(person.heading).toHaveText("Zaloguj się");
  await person.login(ANNA);
  await expect(page).toHaveURL("/home/mfa");
  await person.confirm(await portal.lastCode(ANNA.phone));
  await expect(page).toHaveURL("/cp");
});

test("a service worker of an earlier application is gone after the first page", async ({ page }) => {
  const port = await freePort();
  const former = await listen(port);
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
  });
  await close(former);

  const portal = await startPortal({ port });
  await page.goto(`${portal.origin}/home/cookies`);
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
    .toBe(0);
  await portal.stop();
});

/** The portal's script ends by looking for old service workers; by then it is decided whether the page hydrates. */
async function noteEndOfScript(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const workers = navigator.serviceWorker;
    const look = workers.getRegistrations.bind(workers);
    workers.getRegistrations = () => {
      Reflect.set(window, "scriptHasEnded", true);
      return look();
    };
  });
}

async function endOfScript(page: Page): Promise<void> {
  await page.waitForFunction(() => "scriptHasEnded" in window);
  await effectsHaveRun(page);
}

/** Serves another application, which used to be at this address. */
function listen(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const isWorker = request.url === "/sw.js";
    response.setHeader("Content-Type", isWorker ? "text/javascript" : "text/html");
    response.end(
      isWorker ? "addEventListener('install', () => skipWaiting());" : "<!doctype html><title>stare</title>",
    );
  });
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => {
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
