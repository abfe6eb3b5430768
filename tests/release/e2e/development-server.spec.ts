import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test as base } from "@playwright/test";
import { ANNA } from "../../demo-customers";
import { outboxAt } from "../../portal";
import { freePort } from "../../free-port";
import { runDevelopmentServer } from "../../portal-process";
import { Person } from "../../e2e/person";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** The files and folders that a development server reads. */
const SOURCES = [
  "app",
  "locales",
  "public",
  "package.json",
  "tsconfig.json",
  "vite.config.ts",
  "tailwind.config.ts",
  "postcss.config.js",
];

/** A checkout with a development server, in which a test may change files. */
interface Checkout {
  readonly port: number;
  /** Replaces a piece of a file. */
  readonly edit: (file: string, from: string, to: string) => Promise<void>;
}

const test = base.extend<{ readonly checkout: Checkout }>({
  checkout: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "checkout-"));
    for (const source of SOURCES) await cp(join(ROOT, source), join(folder, source), { recursive: true });
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const port = await freePort();
    const server = runDevelopmentServer(folder, { PORT: String(port), DATA_DIR: join(folder, ".data") });
    await expect.poll(() => server.log()).toContain(`http://127.0.0.1:${port}/`);
    await use({
      port,
      edit: async (file, from, to) => {
        const before = await readFile(join(folder, file), "utf8");
        expect(before).toContain(from);
        await writeFile(join(folder, file), before.replace(from, to));
      },
    });
    server.signal("SIGKILL");
    await server.ended;
    await rm(folder, { recursive: true, force: true });
  },
});

test("npm run dev shows each edit on the open page, and its data survive", async ({ checkout, page }) => {
  const { port, edit } = checkout;
  const origin = `http://127.0.0.1:${port}`;
  const complaints: string[] = [];
  /** Whether the page in front will be told of edits. */
  let isConnected = false;
  page.on("framenavigated", () => (isConnected = false));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    if (message.text() === "[vite] connected.") isConnected = true;
  });
  const changed = async (...[file, from, to]: Parameters<typeof edit>) => {
    await expect.poll(() => isConnected).toBe(true);
    await edit(file, from, to);
  };
  const open = (path: string) => page.goto(`${origin}${path}`);
  const person = new Person(page, { origin, port, ...outboxAt(port) }, true);

  await person.signIn(ANNA);
  await test.step("a text", async () => {
    await changed("locales/pl/cp.json", '"header": "Moje polisy"', '"header": "Moje nowe polisy"');
    await expect(person.heading).toHaveText("Moje nowe polisy");
  });
  await test.step("a style", async () => {
    await changed("app/ui/tailwind.css", "overflow-wrap: break-word;", "letter-spacing: 3px;");
    await expect(page.locator("body")).toHaveCSS("letter-spacing", "3px");
  });
  await test.step("a component, with a class that no other has", async () => {
    await changed("app/shell/page-frame.tsx", 'className="border-b ', 'className="pl-[13px] border-b ');
    await expect(page.getByRole("banner")).toHaveCSS("padding-left", "13px");
  });
  await test.step("a loader", async () => {
    await changed("app/root.tsx", "language: visit.t.language,", 'language: "en" as const,');
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
  });
  await test.step("a rule that the browser, the portal and the backend share", async () => {
    await open("/home/change-password");
    await page.locator("main button[value=send-code]").click();
    await expect(person.field("newPassword")).toBeVisible();
    await changed("app/contract/rules/index.ts", "MAX_TEXT_LENGTH = 4000", "MAX_TEXT_LENGTH = 3999");
    await expect(person.field("newPassword")).toHaveAttribute("maxlength", "3999");
  });
  await test.step("the customer is still signed in", async () => {
    await open("/cp/profile");
    await expect(page.locator("main")).toContainText(ANNA.name);
  });
  // Vite's client, its styles and its socket are allowed.
  expect(complaints).toEqual([]);
});
