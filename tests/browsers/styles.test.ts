import DoIUse from "doiuse/lib/DoIUse.js";
import postcss from "postcss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import { ACCEPTED, STYLED_FROM, TOO_NEW } from "./claimed";

describe("the served styles", () => {
  let portal: Portal;
  let css: string;
  beforeAll(async () => {
    portal = await startPortal();
    const page = (await new Visitor(portal).get("/home/cookies")).body;
    css = [...page.matchAll(/<style[^>]*>([^]*?)<\/style>/g)].map(([, text]) => text).join("\n");
  });
  afterAll(() => portal.stop());

  test("work in Chrome 70, Safari 12 and Firefox 78, except for what is accepted by name", async () => {
    const found = await unsupported(css);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ feature, use }) => !ACCEPTED[feature]?.uses.test(use))).toEqual([]);
    // Exceptions no longer used must go.
    const unused = Object.keys(ACCEPTED).filter((name) => found.every(({ feature }) => feature !== name));
    expect(unused).toEqual([]);
  });

  test.each(TOO_NEW)("contain no too-new syntax that doiuse misses: %s", (pattern) => {
    expect(css).not.toMatch(pattern);
  });
});

test("a feature that is too new is found", async () => {
  const features = async (text: string) => (await unsupported(text)).map(({ feature }) => feature);
  expect(await features("a{display:flex;gap:1rem}")).toEqual(["flexbox-gap"]);
  expect(await features("a{inset:0}")).toEqual(["css-logical-props"]);
  expect(await features("a:has(b){color:red}")).toEqual(["css-has"]);
  expect(await features("@layer a{b{color:red}}")).toEqual(["css-cascade-layers"]);
});

/** Features that one of the claimed browsers does not support, or only in part. */
async function unsupported(css: string): Promise<readonly { feature: string; use: string }[]> {
  const found: { feature: string; use: string }[] = [];
  const check = new DoIUse({
    browsers: STYLED_FROM,
    onFeatureUsage: ({ feature, usage }) => found.push({ feature, use: usage.toString() }),
  });
  await postcss([check]).process(css, { from: undefined });
  return found;
}
