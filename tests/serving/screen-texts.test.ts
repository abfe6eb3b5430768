import { serialize } from "parse5";
import { describe, expect, test } from "vitest";
import type { Words } from "../e2e/journey-visitor";
import { attributeOf, elementsIn, nameOf, parentOf, parsePage, textOf, type Element } from "../forms/dom";
import { fieldNamed, findPlace, offersOf, type View } from "../forms/finding";
import { ask } from "../http-request";
import { sharedPortal } from "../shared-portal";

const DAMAGE = "Zgłoś szkodę";
const TO_PAY = "Zapłać składkę";
const HELPLINE = "tel:+48800100200";

const portal = sharedPortal();

/** A state of the gallery, as a visitor without scripts sees it. */
async function stateOf(state: string): Promise<View> {
  const { body } = await ask({ port: portal.port, path: `/demo/gallery/${state}` });
  return { page: parsePage(body), opened: { target: "", toggled: new Set() } };
}

function mainOf(view: View): Element {
  const main = findPlace(view);
  if (!main) throw new Error("The page has no main part.");
  return main;
}

const inside = (element: Element, name: string) =>
  [...elementsIn(element)].filter(({ tagName }) => tagName === name);

/** The cards of My Policies: the name of each, and all it says. */
const cardsOf = (view: View) =>
  inside(mainOf(view), "li").flatMap((card) => {
    const [name] = inside(card, "h2");
    return name ? [{ name: textOf(name), text: textOf(card), links: inside(card, "a") }] : [];
  });

/** What the page says, folded parts included. */
const wordsOf = (view: View) => textOf(mainOf(view));

const linksTo = (view: View, words: Words) =>
  offersOf(view, "link", words).map((link) => attributeOf(link, "href"));

describe("a premium", () => {
  test("[F65] is on each card, and only where something is due now a button leads to paying", async () => {
    const view = await stateOf("policies/each-premium");
    const cards = cardsOf(view);
    expect(cards.map(({ name }) => name)).toEqual([
      "Narty",
      "Życie",
      "Firma",
      "Podróż",
      "Samochód – OC i AC",
      "Bez składki",
      "Rower",
      "Mieszkanie",
    ]);
    expect(cards.filter(({ text }) => text.includes(TO_PAY)).map(({ name }) => name)).toEqual([
      "Narty",
      "Życie",
      "Firma",
      "Samochód – OC i AC",
    ]);
    expect(cards.find(({ name }) => name === "Bez składki")?.text).not.toMatch(/Składka|zł/);
    // An ended policy with something to pay isn't folded away.
    expect(inside(mainOf(view), "details")).toEqual([]);
  });

  test.each([
    {
      state: "overdue",
      line: /^Do zapłaty teraz: 263,20\szł, 2\spolisy/,
      links: [expect.stringContaining("Zapłać najpierw: Škoda Octavia") as string],
    },
    { state: "due", line: /^Do zapłaty teraz: 74,20\szł, 1\spolisa/, links: [] },
    { state: "later", line: /^Wszystko opłacone\. Następny termin: \d/, links: [] },
    { state: "paid", line: /^Wszystko opłacone\.$/, links: [] },
  ])("[F65] is summed up in one line above the cards: $state", async ({ state, line, links }) => {
    const main = mainOf(await stateOf(`policies/premium-${state}`));
    const all = [...elementsIn(main)];
    const [heading] = inside(main, "h1");
    const found = all.filter(
      (element) => heading && parentOf(element) === parentOf(heading) && line.test(textOf(element)),
    );
    expect(found).toHaveLength(1);
    expect(found.flatMap((shown) => inside(shown, "a")).map((link) => textOf(link))).toEqual(links);
    const [shown] = found;
    const firstCard = all.findIndex(({ tagName }) => tagName === "li");
    expect(shown && all.indexOf(shown)).toBeLessThan(firstCard);
  });

  test("[F65] that no policy has is in no line", async () => {
    expect(wordsOf(await stateOf("policies"))).not.toMatch(/opłacone|Do zapłaty/);
  });

  test.each(["policies/premium-due", "policy/premium-without-way", "payment/without-account"])(
    "[F66] that can't be paid here names the helpline: %s",
    async (state) => {
      const view = await stateOf(state);
      const way = inside(mainOf(view), "p").find((each) =>
        textOf(each).includes("Zapłać tak jak dotychczas."),
      );
      const numbers = way && inside(way, "a").map((link) => attributeOf(link, "href"));
      expect(numbers).toEqual([HELPLINE]);
      expect(linksTo(view, TO_PAY)).toEqual([]);
    },
  );

  test("[F66] that is paid says so", async () => {
    const words = wordsOf(await stateOf("payment/paid"));
    expect(words).toContain("Nie masz teraz nic do zapłaty.");
    expect(words).not.toMatch(/\bPrzelew\b/);
  });

  test.each(["without-code", "euro"])(
    "[F66] has its transfer as text if there is no code: %s",
    async (state) => {
      const view = await stateOf(`payment/${state}`);
      expect(inside(mainOf(view), "dt").map((term) => textOf(term))).toContain("Numer rachunku");
      expect(offersOf(view, "picture", /Kod QR/)).toEqual([]);
    },
  );
});

describe("damage", () => {
  test("[F61] leads to Contact where a backend has no pages of policies, and no card leads to one", async () => {
    const cards = cardsOf(await stateOf("policies/without-ids"));
    expect(cards).not.toEqual([]);
    const links = cards.flatMap((card) => card.links);
    expect(links.map((link) => attributeOf(link, "href"))).not.toContainEqual(
      expect.stringContaining("/cp/policy"),
    );
    const ofDamage = links.filter((link) => textOf(link).includes(DAMAGE));
    expect(new Set(ofDamage.map((link) => attributeOf(link, "href")))).toEqual(
      new Set(["/cp/contact#szkoda"]),
    );
    const names = links.filter((link) => [...headingsAround(link)].length > 0);
    expect(names).toEqual([]);
  });

  test("[F61] can't be reported for a policy that hasn't begun, on its page or its card", async () => {
    const page = wordsOf(await stateOf("policy/upcoming"));
    expect(page).toContain("Numer polisy");
    expect(page).not.toMatch(/Zgłoś szkodę|W razie szkody/);
    const cards = cardsOf(await stateOf("policies/each-state"));
    const withButton = cards.filter(({ text }) => text.includes(DAMAGE));
    expect(withButton).not.toEqual([]);
    expect(withButton.filter(({ text }) => text.includes("Zacznie się"))).toEqual([]);
    expect(cards.filter(({ text }) => text.includes("Zacznie się"))).not.toEqual([]);
  });

  test("[F61] has one button above ten policies, which stands for all", async () => {
    expect(linksTo(await stateOf("policies/many"), DAMAGE)).toEqual(["/cp/contact#szkoda"]);
  });
});

describe("a policy", () => {
  test("without documents has no section for them", async () => {
    const view = await stateOf("policy/no-documents");
    expect(wordsOf(view)).toContain("Numer polisy");
    expect(offersOf(view, "heading", "Dokumenty")).toEqual([]);
    expect(offersOf(await stateOf("policy"), "heading", "Dokumenty")).toHaveLength(1);
  });

  test("whose documents have a password doesn't ask for one, and says which one opens them", async () => {
    const view = await stateOf("policy");
    expect(wordsOf(view)).toContain("hasłem do dokumentów z dnia pobrania");
    expect(linksTo(view, "Utwórz hasło do dokumentów")).toEqual([]);
  });

  test.each(["announcement", "news"])("[F63] comes after the %s", async (state) => {
    const view = await stateOf(`policies/${state}`);
    const all = [...elementsIn(view.page)];
    const news = all.findIndex(
      (element) => element.tagName === "section" && (state === "news" || nameOf(element, view.page) !== ""),
    );
    expect(news).toBeGreaterThan(0);
    expect(news).toBeLessThan(
      all.findIndex((element) => element.tagName === "li" && inside(element, "h2").length > 0),
    );
  });

  test("[F68] whose cover has ended says so on its page for the roadside", async () => {
    expect(wordsOf(await stateOf("proof-of-cover/ended"))).toContain("Wygasła");
  });
});

describe("a code", () => {
  test.each(["mfa", "create-document-password"])(
    "[F13] whose time is over is refused with that time, and another can be had: %s",
    async (screen) => {
      const view = await stateOf(`${screen}/code-ended`);
      expect(wordsOf(view)).toMatch(/Ten kod stracił ważność o\s8:57\.\sZamów nowy\./);
      const field = fieldNamed(view, "authorizationCode");
      expect(field && attributeOf(field, "aria-invalid")).toBe("true");
      expect(offersOf(view, "button", "Wyślij kod ponownie")).toHaveLength(1);
    },
  );

  test("[S3, F13] whose time is over is only wrong to a signed-out visitor", async () => {
    const words = wordsOf(await stateOf("set-password/code-ended"));
    expect(words).toContain("Nieprawidłowy kod autoryzacyjny.");
    expect(words).not.toContain("ważność");
  });

  test.each([
    ["remind-login-submit", "nie ma pomyłki"],
    ["change-login", "Masz nowy numer telefonu?"],
  ])("[F12] that didn't arrive: the likeliest cause comes first on %s", async (screen, cause) => {
    const [first] = inside(mainOf(await stateOf(screen)), "details").flatMap((part) => inside(part, "li"));
    expect(first && textOf(first)).toContain(cause);
  });
});

describe("a page", () => {
  test.each([
    ["confirm-login", "Zalogowano – Logowanie klienta | Tarnea Ubezpieczenia"],
    ["change-login", "Zmiana nazwy użytkownika – Logowanie klienta | Tarnea Ubezpieczenia"],
    ["change-password", "Zmiana hasła – Logowanie klienta | Tarnea Ubezpieczenia"],
    ["create-document-password", "Hasło do dokumentów – Logowanie klienta | Tarnea Ubezpieczenia"],
    ["policies", "Moje polisy – Portal klienta | Tarnea Ubezpieczenia"],
    ["profile", "Moje dane – Portal klienta | Tarnea Ubezpieczenia"],
    ["contact", "Kontakt – Portal klienta | Tarnea Ubezpieczenia"],
  ])("[F8] is titled by the part of the portal that it belongs to: %s", async (screen, title) => {
    const [found] = [...elementsIn((await stateOf(screen)).page)].filter(
      ({ tagName }) => tagName === "title",
    );
    expect(found && serialize(found)).toBe(title);
  });

  test.each([
    ["policies", ["page", undefined, undefined]],
    ["policy", ["true", undefined, undefined]],
    ["profile", [undefined, "page", undefined]],
    ["not-me", [undefined, "true", undefined]],
    ["change-password", [undefined, "true", undefined]],
    ["contact", [undefined, undefined, "page"]],
  ])("[F64] is marked in the menu, or the part that it belongs to: %s", async (screen, marks) => {
    const menu = [...elementsIn((await stateOf(screen)).page)].filter(({ tagName }) => tagName === "nav");
    const links = menu.flatMap((part) => inside(part, "a"));
    expect(links.map((link) => attributeOf(link, "aria-current"))).toEqual(marks);
  });

  test("[F45] with two devices of one name has a button for each, with a date", async () => {
    const buttons = inside(mainOf(await stateOf("profile/same-devices")), "button");
    const names = buttons.map((button) => textOf(button));
    const ofDevices = names.filter((name) => name.includes("Firefox"));
    expect(ofDevices).not.toEqual([]);
    expect(ofDevices.filter((name) => !/\s20\d\d/.test(name))).toEqual([]);
    expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
  });

  test("[F60] has a picture of its own if the account is barred or the address mistyped", async () => {
    const pictures = [];
    for (const [state, place] of [
      ["service", "main"],
      ["not-found", "main"],
      ["login/106", "dialog"],
    ] as const) {
      const within = [...elementsIn((await stateOf(state)).page)].filter(({ tagName }) => tagName === place);
      const [picture] = within
        .flatMap((part) => inside(part, "svg"))
        .filter((svg) => (attributeOf(svg, "class") ?? "").split(" ").includes("picture"));
      pictures.push(picture && serialize(picture));
    }
    expect(pictures).not.toContain(undefined);
    expect(new Set(pictures).size).toBe(3);
  });
});

function headingsAround(element: Element): readonly Element[] {
  const found: Element[] = [];
  for (let at = parentOf(element); at; at = parentOf(at)) if (at.tagName === "h2") found.push(at);
  return found;
}
