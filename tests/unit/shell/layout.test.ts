import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { textsIn } from "~/i18n/texts.server";
import { customerTitle, documentLinks, layoutOf, signInTitle } from "~/shell/layout.server";

const t = textsIn();

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
    expect(layoutOf(t).copyright).toBe(`© ${year} Tarnea Ubezpieczenia. Wszelkie prawa zastrzeżone.`);
  });

  it("names the version", () => {
    expect(layoutOf(t).version).toBe("Wersja 95.0.2");
  });

  it("[F11] names both helpline numbers, which never wrap, and which of them is free", () => {
    const { helpline, phones } = layoutOf(t);
    expect(helpline).toContain("22\u00a0100\u00a020\u00a030 lub 800\u00a0100\u00a0200 (bezpłatnie), od");
    expect(helpline).toContain("od poniedziałku do piątku, 9:00\u2060–\u206018:00");
    expect(layoutOf(textsIn("en")).helpline).toContain("800\u00a0100\u00a0200 (free in Poland), Monday");
    expect(phones.filter((phone) => helpline.includes(phone))).toHaveLength(2);
  });

  it("has three documents: two existing PDFs with their sizes, and a page on the insurer's site", () => {
    const [terms, cookies, privacy, ...others] = documentLinks(t);
    expect(others).toEqual([]);
    for (const document of [terms, cookies]) {
      expect(existsSync(join("public", document?.href ?? ""))).toBe(true);
      expect(document?.note).toMatch(/^PDF, \d+\u00a0kB$/);
      expect(document?.download).toBe(true);
    }
    expect(privacy).toMatchObject({ href: "https://tarnea.example/polityka-prywatnosci", download: false });
    expect(privacy?.note).toBe("otwiera się w\u00a0nowej karcie");
  });

  it("says on every page that this is a demo", () => {
    expect(layoutOf(t).ribbon?.text).toContain("Wersja demonstracyjna");
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
    expect(layoutOf(t).titleHome).toBe("Logowanie klienta | Tarnea Ubezpieczenia");
  });

  it("start with the word for an error if something went wrong", () => {
    expect(layoutOf(t).errorPrefix).toBe("Błąd: ");
  });
});
