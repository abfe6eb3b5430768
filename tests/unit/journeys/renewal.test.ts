import { expect, it } from "vitest";
import { textsIn } from "~/i18n/texts.server";
import type { PolicyState } from "~/journeys/customer-area/policy-facts";
import { renewalWords } from "~/journeys/customer-area/renewal.server";

const DAY = "10 grudnia 2026";
const ENDING = "Aby przedłużyć polisę, zadzwoń na infolinię: 800 100 200 (bezpłatnie).";
const ENDED = "Aby ubezpieczyć się ponownie, zadzwoń na infolinię: 800 100 200 (bezpłatnie).";

const step = (state: PolicyState) => {
  const words = renewalWords(textsIn("pl"), state, DAY)?.step;
  return words && "call" in words ? words.call.replaceAll("\u00A0", " ") : words;
};

it.each<[PolicyState, string | undefined]>([
  [{ kind: "active" }, undefined],
  [{ kind: "upcoming" }, undefined],
  [{ kind: "ending", days: 30 }, ENDING],
  [{ kind: "ending", days: 0 }, ENDING],
  [{ kind: "ended", days: 1 }, ENDED],
  [{ kind: "ended", days: 90 }, ENDED],
  [{ kind: "ended", days: 91 }, undefined],
])("[F62] of a policy that is %j the next step is: %s", (state, words) => {
  expect(step(state)).toBe(words);
});

it("[F62] the page says which day is the last one, in each language", () => {
  const state = { kind: "ending", days: 14 } as const;
  expect(renewalWords(textsIn("pl"), state, DAY)?.lastDay).toBe("Ostatni dzień ochrony: 10 grudnia 2026.");
  expect(renewalWords(textsIn("en"), state, "10 December 2026")?.lastDay).toBe(
    "Last day of cover: 10 December 2026.",
  );
});
