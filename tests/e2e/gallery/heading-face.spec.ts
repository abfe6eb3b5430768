import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Route } from "@playwright/test";
import { LIKE_ANOTHER } from "../../release-run";
import { expect, test } from "./gallery";

const SCREEN = "/demo/gallery/login";
const FONTS = join(import.meta.dirname, "..", "..", "fonts");

/** The letters of each file of a font. */
const LETTERS = { latin: "U+0-FF, U+2000-206F", "latin-ext": "U+100-24F" };

/**
 * The faces that a machine may have, each from a file of ours, so that a test sees them wherever it runs. Arimo has
 * Arial's metrics.
 */
const MACHINES = {
  "a machine with Arial": { "Heading-Arial": "arimo" },
  "a machine with Roboto": { "Heading-Roboto": "roboto" },
  "a machine with neither": {},
} as const;

for (const [machine, faces] of Object.entries(MACHINES)) {
  test(
    `[F21] the heading face hides nothing while it loads, and moves no line, on ${machine}`,
    { tag: machine === "a machine with Arial" ? [] : LIKE_ANOTHER },
    async ({ page, portal }) => {
      const letters = await page.request.get(await addressOfFace(page, portal.origin));
      expect(letters.ok()).toBe(true);
      await page.route(`${portal.origin}${SCREEN}`, (route) => withFaces(route, faces));
      for (const width of [360, 1280])
        await expectNoLineMoves(page, portal.origin, width, Object.keys(faces));
    },
  );
}

/** Opens the screen at this width, and compares its headings before and after the face comes. */
async function expectNoLineMoves(page: Page, origin: string, width: number, faces: readonly string[]) {
  const face = await holdBack(page, /\.woff2$/);
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${origin}${SCREEN}`, { waitUntil: "domcontentloaded" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.evaluate(
    (names) => Promise.all(names.map((name) => document.fonts.load(`700 16px ${name}`, "aż"))),
    faces,
  );
  const before = await headings(page);
  expect(await faceOf(page)).toEqual({ display: "swap", status: "loading" });
  face.release();
  await expect.poll(() => faceOf(page)).toEqual({ display: "swap", status: "loaded" });
  const after = await headings(page);
  expect(after.map(({ family }) => family)).toEqual(after.map(() => "Heading"));
  // The width of the system's own face is not known, so a line may move there.
  if (faces.length > 0) expect(linesOf(after), `${width} px`).toEqual(linesOf(before));
}

/** Answers a page as a machine with only these faces would see it. */
async function withFaces(route: Route, faces: Readonly<Record<string, string>>): Promise<void> {
  const answer = await route.fetch();
  const { "content-security-policy": _policy, ...headers } = answer.headers();
  const body = (await answer.text()).replace(
    /@font-face\{font-family:(Heading-\w+);[^}]*\}/g,
    (rule, family: string) => rulesFor(rule, faces[family]),
  );
  await route.fulfill({ status: answer.status(), headers, body });
}

/** The rule of a stand-in with the faces of a font in place of the machine's, or none. */
function rulesFor(rule: string, name: string | undefined): string {
  if (name === undefined) return "";
  return Object.entries(LETTERS)
    .map(([subset, letters]) => {
      const file = readFileSync(join(FONTS, `${name}-${subset}-700-normal.woff2`));
      const source = `src:url(data:font/woff2;base64,${file.toString("base64")});unicode-range:${letters}`;
      return rule.replace(/src:[^;}]*/, source);
    })
    .join("");
}

const linesOf = (all: readonly { readonly top: number; readonly height: number }[]) =>
  all.map(({ top, height }) => [top, height]);

/** The position and the face of each heading. */
function headings(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("h1, h2")]
      .filter((heading) => heading.getClientRects().length > 0)
      .map((heading) => {
        const { top, height } = heading.getBoundingClientRect();
        return { top, height, family: getComputedStyle(heading).fontFamily.split(",")[0] };
      }),
  );
}

/** How the heading face is shown, and whether it has arrived; undefined without one. */
function faceOf(page: Page) {
  return page.evaluate(() => {
    const face = [...document.fonts].find(({ family }) => family === "Heading");
    return face && { display: face.display, status: face.status };
  });
}

async function addressOfFace(page: Page, origin: string): Promise<string> {
  const html = await (await page.request.get(`${origin}${SCREEN}`)).text();
  return `${origin}${/href="([^"]+\.woff2)"/.exec(html)?.[1] ?? "/missing"}`;
}

/** Answers matching requests only once released. */
async function holdBack(page: Page, pattern: RegExp): Promise<{ release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return { release };
}
