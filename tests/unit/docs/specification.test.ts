import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CALLS } from "~/contract/calls.server";
import { CATALOGUE_CODES, ERROR_CATALOGUE } from "~/contract/errors";
import { MAX_TEXT_LENGTH, PASSWORD_LENGTH, USERNAME_LENGTH } from "~/contract/rules";
import { ANSWER_MS } from "~/browser/single-tab/protocol";
import { LIMITS } from "~/platform/config/limits";
import product from "../../../package.json" with { type: "json" };

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
const PAGE = read("docs/specification.md");

/** A section joined into one line, since rows run over several. */
function section(number: number): string {
  const text = PAGE.split(/^## /m).find((part) => part.startsWith(`§${number} `)) ?? "";
  return text.replace(/\n {2,}(?!-)/g, " ");
}

describe("the product matches the specification's lists", () => {
  const asked = [...section(7).matchAll(/^- `([A-Z]+) ([^`]+)`( \(below `\/cp\/api`\))?/gm)].map(
    ([, method = "", path = "", customer]) =>
      `${method} ${customer ? "/cp/api" : "/home/api"}/${path.replace("doc-pwd/create", "doc-pwd/{mode}")}`,
  );
  const made = Object.values(CALLS).map(({ method, path }) => `${method} ${path}`);

  it("§7 every listed call exists", () => {
    expect(asked).toHaveLength(16);
    expect(asked.filter((call) => !made.includes(call))).toEqual([]);
  });

  it("§7 every other call is in the backend contract", () => {
    const contract = read("docs/backend-contract.md");
    const ours = made.filter((call) => !asked.includes(call));
    expect(ours.filter((call) => !contract.includes(`\`${call}\``))).toEqual([]);
  });

  it("§8 the codes, and which of them are dialogs", () => {
    const [dialogs = "", inline = ""] = section(8).split(/- \*\*Inline\.\*\*/);
    const codesIn = (text: string) =>
      [...text.matchAll(/^ *- (\d{3}(?: and \d{3})*):/gm)].flatMap(([, codes = ""]) => codes.split(" and "));
    const shown = (modal: boolean) =>
      CATALOGUE_CODES.filter((code) => (ERROR_CATALOGUE[code].kind === "modal") === modal);
    expect(codesIn(dialogs).toSorted()).toEqual(shown(true).toSorted());
    expect(codesIn(inline).toSorted()).toEqual(shown(false).toSorted());
  });

  it.each([
    `Password ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max},`,
    `username ${USERNAME_LENGTH.min} to ${USERNAME_LENGTH.max},`,
    `any text at most ${MAX_TEXT_LENGTH}.`,
    `**Username changes.** ${["None", "One", "Two", "Three", "Four"][LIMITS.USERNAME_CHANGES] ?? "?"} in ${LIMITS.USERNAME_CHANGE_DAYS} days`,
    `**Trusted device.** ${LIMITS.TRUSTED_DEVICE_DAYS} days`,
    `${LIMITS.COOKIE_CONSENT_SECONDS.toLocaleString("en")} seconds`,
    `Resend ${LIMITS.RESEND_THROTTLE_MS} ms`,
    `single-tab detection ${ANSWER_MS} ms`,
    `Version ${product.version}.`,
  ])("§9 %s", (words) => {
    expect(section(9)).toContain(words);
  });
});
