import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { holdTogether } from "~/i18n/hard-spaces";
import type * as AllTexts from "~/i18n/all-texts.server";
import type { Language } from "~/i18n/languages";
import { LIMITS } from "~/platform/config/limits";
import { visit } from "../visit/visit";

/**
 * Ukrainian, which has the same plural forms as Polish. Its private subtag keeps it apart from the folder that a portal may
 * add. The type has two languages, this process three.
 */
const UK = "uk-x-proba" as Language;

beforeAll(() => {
  vi.resetModules();
  // Stands in for the line in the list, and for the folder's texts.
  vi.doMock("~/i18n/locales", () => ({ LOCALES: { pl: "pl-PL", en: "en-GB", [UK]: "uk-UA" } }));
  vi.doMock("~/i18n/all-texts.server", async (original) => {
    const { allTexts, polish } = await original<typeof AllTexts>();
    const ukrainian = { ...polish, common: { ...polish.common, language: { name: "Українська" } } };
    return { allTexts: () => ({ ...allTexts(), [UK]: holdTogether(ukrainian) }) };
  });
});
afterAll(() => {
  vi.doUnmock("~/i18n/locales");
  vi.doUnmock("~/i18n/all-texts.server");
});

describe("a third language, added as a folder and a line", () => {
  it("is offered on every page beside the others, each under its own name", async () => {
    const { staticPage } = await import("~/shell/static-page.server");
    const offered = async (language: Language) => {
      const page = await staticPage(visit("/home", { cookies: { language } }), 404);
      return [...page.matchAll(/href="(\/language\/[^"]+)" lang="([^"]+)"[^>]*>([^<]+)</g)].map(
        ([, ...link]) => link,
      );
    };
    const [pl, en, uk] = [
      ["/language/pl?back=%2Fhome", "pl", "Polski"],
      ["/language/en?back=%2Fhome", "en", "English"],
      ["/language/uk-x-proba?back=%2Fhome", "uk-x-proba", "Українська"],
    ];
    expect([await offered("pl"), await offered("en"), await offered(UK)]).toEqual([
      [en, uk],
      [pl, uk],
      [pl, en],
    ]);
  });

  it("has its own dates, hours and plural forms", async () => {
    const { clockTimeInPoland, dayInPoland, fullHour, timeInPoland } = await import("~/i18n/times.server");
    const { textsIn } = await import("~/i18n/texts.server");
    const time = "2026-11-20T11:05:00Z";
    expect([
      dayInPoland({ language: UK }, time),
      timeInPoland({ language: UK }, new Date(time).getTime()),
      clockTimeInPoland({ language: UK }, Date.parse(time)),
      fullHour({ language: UK }, 9),
    ]).toEqual(["20\u00A0листопада\u00A02026\u00A0р.", "20.11.26, 12:05", "12:05", "9:00"]);
    expect(textsIn(UK)("validation:summary.title", { count: 3 })).toBe("Popraw 3\u00a0błędy");
    expect(textsIn(UK)("signInCode:trust.hint")).toContain(`${LIMITS.TRUSTED_DEVICE_DAYS}\u00a0dni`);
  });
});
