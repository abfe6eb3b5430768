import { createServer, type Server } from "node:http";
import { JAN } from "../../demo-customers";
import { startPortal } from "../../portal";
import { freePort } from "../../free-port";
import { LIKE_ANOTHER } from "../../release-run";
import { expect, test } from "../fixtures";

test("values typed before the script comes survive it and are what is sent", async ({ person, page }) => {
  await person.arrive();

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

test("a form can be sent before the script comes", async ({ person, page }) => {
  await person.arrive();
  await page.route("**/assets/*.js", () => undefined);
  await page.reload({ waitUntil: "commit" });
  await person.login(JAN);
  await expect(page).toHaveURL("/home/mfa");
});

test("if the script fails to load, the form works", async ({ person, page, expectedOnConsole }) => {
  expectedOnConsole.push(/net::ERR_FAILED/);
  await person.arrive();
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/home");
  await person.login({ username: "nie.ma.tu", password: "Zle-Haslo-1!" });
  await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło");
  await expect(person.field("password")).toHaveValue("");
});

test(
  "if the script is cut off half-way, the form works",
  { tag: LIKE_ANOTHER },
  async ({ person, page, expectedOnConsole }) => {
    // Chromium's message about it has no words.
    expectedOnConsole.push(/^\s*$/, /SyntaxError/);
    await person.arrive();
    await page.route("**/assets/*.js", async (route) => {
      const answer = await route.fetch();
      const script = await answer.text();
      await route.fulfill({ response: answer, body: script.slice(0, script.length / 2) });
    });
    await page.goto("/home");
    await person.login({ username: "nie.ma.tu.tez", password: "Zle-Haslo-1!" });
    await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło");
    // Its script has been cut off, too.
    await page.waitForLoadState();
  },
);

test("an enhancement that throws stops no other one, and forms are sent", async ({
  person,
  page,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/broken on purpose/);
  await page.addInitScript(() => {
    // The copy and print buttons ask for it at each arrival of a page.
    Object.defineProperty(window, "print", {
      get: () => {
        throw new Error("broken on purpose");
      },
    });
    // The single-tab guard opens one.
    Object.defineProperty(window, "BroadcastChannel", {
      value: function () {
        throw new Error("broken on purpose");
      },
    });
  });
  await person.arrive();
  await person.sendRefused(() => person.login({ username: "nie.ma.tu", password: "Zle-Haslo-1!" }));
  await expect(person.field("password")).toHaveValue("Zle-Haslo-1!");
  await page.getByRole("button", { name: "Pokaż znaki w polu: Hasło" }).click();
  await expect(person.field("password")).toHaveAttribute("type", "text");
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
