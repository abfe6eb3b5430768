import { describe, expect, it } from "vitest";
import { PROBLEM_STATUSES } from "~/shell/problem";
import { staticPage } from "~/shell/static-page.server";
import { visit } from "../visit/visit";

const pageOf = (status: (typeof PROBLEM_STATUSES)[number], cookies: Readonly<Record<string, string>> = {}) =>
  staticPage(visit("/home", { cookies }), status);

describe("the page of last resort", () => {
  it.each(PROBLEM_STATUSES)(
    "[F11] for %i is a whole page in Polish, without a script; it leads back, and its phone numbers dial",
    async (status) => {
      const page = await pageOf(status);
      expect(page).toMatch(/^<!DOCTYPE html><html lang="pl">/);
      expect(page.match(/<h1/g)).toHaveLength(1);
      const [, heading = ""] = /<h1[^>]*>([^<]+)</.exec(page) ?? [];
      expect(page).toContain(`<title>Błąd: ${heading} – Logowanie klienta | Tarnea Ubezpieczenia</title>`);
      expect(page).toContain('href="tel:+48221002099"');
      expect(page).toContain('href="/home"');
      // A mistyped address is no error that the helpline would look up (F52).
      expect(page.includes("b10c4a7be000")).toBe(status !== 404);
      expect(page).toContain('href="tel:+48221002030"');
      expect(page.match(/href="tel:\+48800100200"/g)).toHaveLength(status === 404 ? 1 : 2);
      expect(page).not.toMatch(/<script|\son[a-z]+=|\sstyle=|undefined|\{\{/);
    },
  );

  it("is in English for visitors who chose it", async () => {
    const page = await pageOf(404, { language: "en" });
    expect(page).toMatch(/^<!DOCTYPE html><html lang="en">/);
    expect(page).toContain("<title>Error: Page not found – Customer sign-in | Tarnea Ubezpieczenia</title>");
    expect(page).toContain("Page not found");
    expect(page).toContain('href="/language/pl?back=%2Fhome" lang="pl" hrefLang="pl"');
  });

  it("never treats request data as markup", async () => {
    const { request, context } = visit("/home");
    const incoming = { ...context.incoming, requestId: "<script>x</script>" };
    expect(await staticPage({ request, context: { ...context, incoming } }, 400)).not.toContain("<script");
  });
});
