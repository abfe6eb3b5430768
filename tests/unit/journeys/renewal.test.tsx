import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Language } from "~/i18n/languages";
import { textsIn } from "~/i18n/texts.server";
import { PageTexts } from "~/i18n/use-texts";
import { Renewal } from "~/journeys/customer-area/policy";
import type { PolicyState } from "~/journeys/customer-area/policy-facts";

const ENDING = "Aby przedłużyć polisę, zadzwoń na infolinię: 800 100 200 (bezpłatnie).";
const ENDED = "Aby ubezpieczyć się ponownie, zadzwoń na infolinię: 800 100 200 (bezpłatnie).";

/** The paragraphs about a policy that is in this state, with 10 December 2026 as its last day. */
function said(state: PolicyState, language: Language = "pl") {
  const markup = renderToStaticMarkup(
    <PageTexts.Provider value={textsIn(language)}>
      <Renewal state={state} lastDay="2026-12-10" />
    </PageTexts.Provider>,
  );
  const paragraphs = [...markup.matchAll(/<p[^>]*>(.*?)<\/p>/g)];
  return paragraphs.map(([, text = ""]) => text.replace(/<[^>]+>/g, "").replaceAll("\u00A0", " "));
}

it.each<[PolicyState, string | undefined]>([
  [{ kind: "active" }, undefined],
  [{ kind: "upcoming" }, undefined],
  [{ kind: "ending", days: 30 }, ENDING],
  [{ kind: "ending", days: 0 }, ENDING],
  [{ kind: "ended", days: 1 }, ENDED],
  [{ kind: "ended", days: 90 }, ENDED],
  [{ kind: "ended", days: 91 }, undefined],
])("[F62] of a policy that is %j the next step is: %s", (state, step) => {
  expect(said(state)[1]).toBe(step);
});

it("[F62] the page says which day is the last one, in each language", () => {
  const state = { kind: "ending", days: 14 } as const;
  expect(said(state)[0]).toBe("Ostatni dzień ochrony: 10 grudnia 2026.");
  expect(said(state, "en")[0]).toBe("Last day of cover: 10 December 2026.");
});
