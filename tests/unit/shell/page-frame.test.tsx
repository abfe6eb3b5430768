import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Language } from "~/i18n/languages";
import { textsIn } from "~/i18n/texts.server";
import { PageTexts } from "~/i18n/use-texts";
import { Footer, Header } from "~/shell/page-frame";
import { customerTitle, problemTitle, signInTitle } from "~/shell/titles";

const t = textsIn();
const render = (element: ReactElement, language?: Language) =>
  renderToStaticMarkup(
    <StaticRouter location="/cp">
      <PageTexts.Provider value={textsIn(language)}>{element}</PageTexts.Provider>
    </StaticRouter>,
  );
const footer = (language?: Language) => render(<Footer here="/cp" />, language);
const plain = (markup: string) => markup.replace(/<[^>]+>/g, "");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("what surrounds every page", () => {
  it.each([
    ["2026-12-31T22:59:59Z", "2026"],
    ["2026-12-31T23:00:00Z", "2027"],
  ])("at %s the copyright year is %s, by the Polish calendar", (time, year) => {
    vi.setSystemTime(new Date(time));
    expect(footer()).toContain(`© ${year} Tarnea Ubezpieczenia. Wszelkie prawa zastrzeżone.`);
  });

  it("names the version", () => {
    expect(footer()).toContain("Wersja 95.0.2");
  });

  it("[F11] names both helpline numbers, which never wrap and dial, and which of them is free", () => {
    const text = plain(footer());
    expect(text).toContain("22\u00a0100\u00a020\u00a030 lub 800\u00a0100\u00a0200 (bezpłatnie), od");
    expect(text).toContain("od poniedziałku do piątku, 9:00\u2060–\u206018:00");
    expect(plain(footer("en"))).toContain("800\u00a0100\u00a0200 (free in Poland), Monday");
    expect(footer()).toContain('href="tel:+48221002030"');
    expect(footer()).toContain('href="tel:+48800100200"');
  });

  it("has three documents: two existing PDFs with their sizes, and a page on the insurer's site", () => {
    const files = [...footer().matchAll(/href="(\/documents\/[^"]+)"[^>]*download=""/g)];
    expect(files).toHaveLength(2);
    for (const [, href = ""] of files) expect(existsSync(join("public", href))).toBe(true);
    expect(plain(footer()).match(/\(PDF, \d+\u00a0kB\)/g)).toHaveLength(2);
    // It gets no access to our window.
    expect(footer()).toMatch(
      /href="https:\/\/tarnea\.example\/polityka-prywatnosci"[^>]*target="_blank" rel="noreferrer"/,
    );
    expect(plain(footer())).toContain("(otwiera się w\u00a0nowej karcie)");
  });

  it("says on every page that this is a demo", () => {
    expect(render(<Header home="/home" customer={undefined} />)).toContain("Wersja demonstracyjna");
  });
});

describe("the menu", () => {
  it("is for signed-in customers, and marks the current entry not by colour alone", () => {
    expect(render(<Header home="/home" customer="Anna Nowak" />)).toMatch(
      /aria-current="page"[^>]*>Moje polisy/,
    );
    expect(render(<Header home="/home" customer={undefined} />)).not.toContain("<nav");
  });
});

describe("titles", () => {
  it("name the page, the portal and the insurer", () => {
    expect(signInTitle(t, t("signInCode:title"))).toBe(
      "Potwierdzenie logowania – Logowanie klienta | Tarnea Ubezpieczenia",
    );
    expect(customerTitle(t, t("cp:policies.title"))).toBe(
      "Moje polisy – Portal klienta | Tarnea Ubezpieczenia",
    );
    expect(t("common:app.titleHome")).toBe("Logowanie klienta | Tarnea Ubezpieczenia");
  });

  it("start with the word for an error if something went wrong", () => {
    expect(problemTitle(t, "Coś poszło nie tak")).toMatch(/^Błąd: Coś poszło nie tak – /);
  });
});
