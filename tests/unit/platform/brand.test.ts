import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readEnvironment } from "~/platform/config/environment.server";
import { contrast, type Colour } from "~/platform/config/colour";
import {
  schemesOf,
  OWN_ANCHORS,
  lowContrastColours,
  type Role,
  type Scheme,
} from "~/platform/config/palette";
import { visit } from "../visit/visit";

const folder = mkdtempSync(join(tmpdir(), "brand-"));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const SVG = '<svg viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>';

it("phone numbers may have the country in front, which pages leave out", () => {
  const reading = readEnvironment({
    BRAND_PHONES: "+48 22 100 20 30, +48800100200",
    BRAND_CLAIMS_PHONE: "+48 800 100 300",
    BRAND_ASSISTANCE_PHONE: " 22 100 20 99",
  });
  expect(reading.ok && reading.environment).toMatchObject({
    BRAND_PHONES: ["22 100 20 30", "800100200"],
    BRAND_CLAIMS_PHONE: "800 100 300",
    BRAND_ASSISTANCE_PHONE: "22 100 20 99",
  });
  expect(readEnvironment({ BRAND_CLAIMS_PHONE: "+44 20 7946 0000" }).ok).toBe(false);
});

it.each([
  SVG.replace("<path", "<script>alert(1)</script><path"),
  SVG.replace("<path", '<path onload="alert(1)"'),
  SVG.replace("<path", '<path style="fill:red"'),
  SVG.replace("<path", '<image href="https://evil.example/x.png"/><path'),
  SVG.replace("</svg>", `${"<g></g>".repeat(2000)}</svg>`),
  "<html></html>",
])("a bad logo stops the start: %.60s", (svg) => {
  expect(readEnvironment({ BRAND_LOGO: file("bad.svg", svg) })).toEqual({
    ok: false,
    problems: ["BRAND_LOGO: expected a file with an SVG of at most 8 KB, without scripts, styles and links"],
  });
});

describe("a brand's colours", () => {
  it.each(["light", "dark"] as const)("of the demo are readable in the %s scheme", (scheme) => {
    expect(hardToRead(schemesOf(OWN_ANCHORS)[scheme])).toEqual([]);
  });

  it("are always readable once accepted, in both schemes", () => {
    const colour = (brightest: number) =>
      fc
        .array(fc.integer({ min: 0, max: brightest }), { minLength: 3, maxLength: 3 })
        .map(
          (channels): Colour => `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`,
        );
    fc.assert(
      fc.property(
        fc.record({ primary: colour(160), dark: colour(70), accent: colour(255), ink: colour(40) }),
        (anchors) => {
          fc.pre(lowContrastColours(anchors).length === 0);
          const { light, dark } = schemesOf(anchors);
          expect({ light: hardToRead(light), dark: hardToRead(dark) }).toEqual({ light: [], dark: [] });
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Colours of texts with the surfaces they stand on (WCAG 1.4.3), and lines that must be visible (1.4.11). */
const READ: readonly (readonly [Role, readonly Role[]])[] = [
  ["ink", ["page", "card", "sunken", "tint", "accent-tint", "danger-tint", "success-tint", "info-tint"]],
  ["muted", ["page", "card", "sunken", "tint"]],
  ["link", ["page", "card", "tint"]],
  ["on-primary", ["primary", "primary-strong"]],
  ["accent-text", ["page", "card", "accent-tint"]],
  ["band-muted", ["band"]],
  ["danger", ["page", "card", "danger-tint"]],
];
const SEEN: readonly (readonly [Role, readonly Role[]])[] = [
  ["field", ["page", "card"]],
  ["primary", ["page", "card"]],
  ["success", ["card", "tint", "success-tint"]],
  ["info", ["info-tint"]],
];

function hardToRead(scheme: Scheme): readonly string[] {
  const faults = (pairs: typeof READ, least: number) =>
    pairs.flatMap(([front, backs]) =>
      backs.flatMap((back) => {
        const reached = contrast(scheme[front], scheme[back]);
        return reached < least ? [`${front} on ${back}: ${reached.toFixed(2)}`] : [];
      }),
    );
  return [...faults(READ, 4.5), ...faults(SEEN, 3)];
}

describe("an insurer's own look", () => {
  beforeEach(() => {
    vi.resetModules();
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("needs only variables: name, logo, phones, hours, documents, colours", async () => {
    vi.stubEnv("BRAND_NAME", "Dach Towarzystwo Ubezpieczeń");
    vi.stubEnv("BRAND_LOGO", file("good.svg", SVG));
    vi.stubEnv("BRAND_PHONES", "12 345 67 89, 800 111 222");
    vi.stubEnv("BRAND_HOURS", "8-16");
    vi.stubEnv("BRAND_TERMS", "https://dach.example/regulamin");
    vi.stubEnv("BRAND_COLOR_PRIMARY", "#7a1f5c");
    const { textsIn } = await import("~/i18n/texts.server");
    const { staticPage } = await import("~/shell/static-page.server");
    const { stylesheet } = await import("~/shell/stylesheet.server");
    const page = await staticPage(visit("/home"), 404);
    expect(page).toContain(SVG);
    expect(page).toMatch(/>Dach<\/span> <span[^>]*>Towarzystwo Ubezpieczeń</);
    expect(page).toContain("| Dach Towarzystwo Ubezpieczeń</title>");
    expect(page.replace(/<[^>]+>/g, "")).toMatch(
      /12\u00A0345.*800\u00A0111\u00A0222 \(bezpłatnie\).*8:00\u2060–\u206016:00/,
    );
    expect(textsIn("en")("common:helpline.line")).toContain("8am to 4pm");
    expect(page).toMatch(/href="https:\/\/dach\.example\/regulamin"[^>]*target="_blank"/);
    expect(stylesheet).toContain("--primary:#7A1F5C;");
  });
});
