import { serialize } from "parse5";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attributeOf, elementsIn, hasAttribute, parsePage } from "../forms/dom";
import { ask } from "../http-request";
import { SCREENS } from "../screens";
import { startPortal, type Portal } from "../portal";
import { IS_RELEASE } from "../release-run";
import { faultsIn, galleryPages } from "./html-faults";
import { faultsOfFields, faultsOfPage, type Page } from "./screen-faults";
import { touchingWords } from "./touching-words";

/** A title: the name of the screen, then the name of the portal. */
const PATTERN = /^(Błąd: )?([^|]+ – )?(Logowanie|Portal) klienta \| Tarnea Ubezpieczenia$/;

/** A screen as it opens: its address names no state. */
const AS_IT_OPENS = /^\/demo\/(sms|gallery|gallery\/[\w-]+)$/;

// Some states of the gallery log an error, which the shared portal must not.
let portal: Portal;
/** The gallery, the outbox and each state, as served. */
let served: ReadonlyMap<string, string>;
/** The same without the outbox. */
let pages: ReadonlyMap<string, Page>;
beforeAll(async () => {
  portal = await startPortal();
  served = await galleryPages(portal);
  const ofGallery = [...served].filter(([path]) => path.startsWith("/demo/gallery"));
  pages = new Map(ofGallery.map(([path, html]) => [path, parsePage(html)]));
});
afterAll(() => portal.stop());

/** The screen of each state. */
const screenOf = (path: string) => path.split("/")[3] ?? "";

/** Each state whose page has faults, with them. */
function faultsBy(find: (page: Page, path: string) => readonly string[]) {
  const states = [...pages].filter(([path]) => screenOf(path) !== "");
  return states.flatMap(([path, page]) => find(page, path).map((fault) => `${path}: ${fault}`));
}

/** The first state of a screen. */
function firstOf(screen: string): Page {
  const page = pages.get(`/demo/gallery/${screen}`);
  if (!page) throw new Error(`The gallery has no ${screen}.`);
  return page;
}

function titleOf(page: Page): string {
  const title = [...elementsIn(page)].find(({ tagName }) => tagName === "title");
  return title ? serialize(title) : "";
}

test("the gallery has every screen", () => {
  const screens = [...pages.keys()].map(screenOf).filter((screen) => screen !== "");
  expect([...new Set(screens)].sort()).toEqual([...SCREENS].sort());
});

test("[C-01, C-04, C-11, C-20, F11] every page has its parts, its helpline and no order of its own", () => {
  expect(faultsBy(faultsOfPage)).toEqual([]);
});

test("[C-05, C-06, C-07, C-32, C-34, C-36, C-40, F7] every field says what it is for and what is wrong", async () => {
  expect(faultsBy(faultsOfFields)).toEqual([]);
  const { body } = await ask({ port: portal.port, path: "/demo/gallery/mfa" });
  const planted = parsePage(body.replaceAll("one-time-code", "off"));
  expect(faultsOfFields(planted)).toEqual(["authorizationCode: its purpose is not said"]);
});

test("[C-02] every title names its screen, and begins with the word for an error if there is one", () => {
  const faults = faultsBy((page, path) => {
    const title = titleOf(page);
    const isRefused = [...elementsIn(page)].some(
      (element) =>
        attributeOf(element, "role") === "alert" ||
        (element.tagName === "dialog" && hasAttribute(element, "open")) ||
        hasAttribute(element, "aria-invalid"),
    );
    const isFaulty = isRefused || ["not-found", "service"].includes(screenOf(path));
    return PATTERN.test(title) && title.startsWith("Błąd: ") === isFaulty ? [] : [title];
  });
  expect(faults).toEqual([]);
});

test("[C-02] no two screens have the same title", () => {
  const titles = SCREENS.map((screen) => titleOf(firstOf(screen)));
  expect(titles).not.toContain("");
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});

/** The screens after the first of each journey, and the fields typed on the first. */
const SECOND_STEPS = {
  "set-password": ["policyNo", "pid"],
  "reset-password-submit": ["username"],
  "remind-login-submit": ["policyNo"],
  "remind-login-final": ["username"],
} as const;

test("[C-11] what was typed on one screen is not asked for on the next", () => {
  for (const [screen, typed] of Object.entries(SECOND_STEPS)) {
    const asked = [...elementsIn(firstOf(screen))]
      .filter((element) => element.tagName === "input" && attributeOf(element, "type") !== "hidden")
      .filter((element) => !hasAttribute(element, "readonly") && !hasAttribute(element, "disabled"))
      .map((element) => attributeOf(element, "name"));
    expect(asked, screen).not.toEqual([]);
    for (const name of typed) expect(asked, screen).not.toContain(name);
  }
});

test("every screen is valid HTML as it opens; before a release in every state", async () => {
  const validated = [...served].filter(([path]) => IS_RELEASE || AS_IT_OPENS.test(path));
  expect(validated.length).toBeGreaterThan(20);
  expect(await faultsIn(new Map(validated))).toEqual({});
});

test("no words of two controls touch where a text browser shows them without styles", () => {
  const touching = [...served].flatMap(([path, html]) =>
    touchingWords(html).map((words) => `${path}: ${words}`),
  );
  expect(touching).toEqual([]);
  expect(touchingWords("<p><a>To nie ja</a><span></span><button>To ja</button></p>")).toEqual(["ja|To"]);
});
