import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Premium } from "~/contract/premium.server";
import type { Language } from "~/i18n/languages";
import { textsIn } from "~/i18n/texts.server";
import { byWhatMattersNow } from "~/journeys/customer-area/policies";
import {
  daysAhead,
  hasProof,
  periodFact,
  policyState,
  premiumFacts,
  premiumState,
  sumText,
} from "~/journeys/customer-area/policy-facts";

const TODAY = "2026-11-28";
const premium = (dueOn: string | null, paidUntil: string | null): Premium => ({
  amount: "129.00",
  currency: "PLN",
  dueOn,
  paidUntil,
  account: null,
  title: null,
});

describe("[F65] the state of a premium", () => {
  it.each([
    ["2026-11-25", null, { kind: "overdue", dueOn: "2026-11-25" }],
    ["2026-11-27", null, { kind: "overdue", dueOn: "2026-11-27" }],
    ["2026-11-25", "2026-11-24", { kind: "overdue", dueOn: "2026-11-25" }],
    ["2026-11-28", null, { kind: "due", dueOn: "2026-11-28" }],
    ["2026-12-12", null, { kind: "due", dueOn: "2026-12-12" }],
    ["2026-12-13", null, { kind: "later", dueOn: "2026-12-13" }],
    ["2099-01-01", "2026-12-31", { kind: "later", dueOn: "2099-01-01" }],
    ["2026-12-10", "2026-12-10", { kind: "paid", until: "2026-12-10" }],
    ["2026-11-25", "2027-05-07", { kind: "paid", until: "2027-05-07" }],
    [null, "2027-05-07", { kind: "paid", until: "2027-05-07" }],
    [null, null, undefined],
  ])("due on %s and paid until %s is %j", (dueOn, paidUntil, state) => {
    expect(premiumState(premium(dueOn, paidUntil), TODAY)).toEqual(state);
  });
});

/** The words of a premium, and the classes of its label if it has one. */
function shown(dueOn: string | null, paidUntil: string | null, language: Language = "pl") {
  const [fact] = premiumFacts(textsIn(language), premium(dueOn, paidUntil), TODAY);
  const markup = renderToStaticMarkup(<>{fact?.value}</>);
  return { text: markup.replace(/<[^>]+>/g, "").replaceAll("\u00A0", " "), markup };
}

describe("[F65] a premium in words and colour", () => {
  it.each([
    [
      "2026-11-25",
      null,
      "129,00 zł – termin minął 25 listopada",
      "PLN 129.00 – was due on 25 November",
      "bg-danger-tint",
    ],
    [
      "2025-11-27",
      null,
      "129,00 zł – termin minął 27 listopada 2025",
      "PLN 129.00 – was due on 27 November 2025",
      "bg-danger-tint",
    ],
    [
      "2026-12-10",
      null,
      "129,00 zł – zapłać do 10 grudnia",
      "PLN 129.00 – pay by 10 December",
      "bg-accent-tint",
    ],
    [
      "2027-01-05",
      null,
      "Następna rata: 129,00 zł, do 5 stycznia 2027",
      "Next instalment: PLN 129.00, by 5 January 2027",
      "",
    ],
    [null, "2027-05-07", "Opłacona do 7 maja 2027", "Paid until 7 May 2027", ""],
  ])("due on %s, paid until %s: %s", (dueOn, paidUntil, polish, english, colour) => {
    const { text, markup } = shown(dueOn, paidUntil);
    expect(text).toBe(polish);
    expect(shown(dueOn, paidUntil, "en").text).toBe(english);
    if (colour) expect(markup).toContain(colour);
    else expect(markup).not.toContain("class=");
  });

  it("says nothing of money without the insurer's word", () => {
    expect(premiumFacts(textsIn(), undefined, TODAY)).toEqual([]);
    expect(premiumFacts(textsIn(), premium(null, null), TODAY)).toEqual([]);
  });
});

describe("[F65] the sum of what is to be paid", () => {
  const owed = (amount: string, currency: Premium["currency"] = "PLN") => ({
    ...premium(TODAY, null),
    amount,
    currency,
  });
  const sum = (...premiums: readonly Premium[]) => sumText(textsIn(), premiums).replaceAll("\u00A0", " ");

  it("is exact, and of each currency apart", () => {
    expect(sum(owed("0.01"))).toBe("0,01 zł");
    expect(sum(owed("189.00"), owed("74.20"))).toBe("263,20 zł");
    expect(sum(owed("0.10"), owed("40.00", "EUR"), owed("0.20"))).toBe("0,30 zł + 40,00 EUR");
    expect(sum(...Array.from({ length: 5000 }, () => owed("9999999.99")))).toBe("49 999 999 950,00 zł");
  });

  it.each([
    [1, "1 polisa", "1 policy"],
    [2, "2 polisy", "2 policies"],
    [5, "5 polis", "5 policies"],
    [12, "12 polis", "12 policies"],
    [22, "22 polisy", "22 policies"],
  ])("counts %i policies in Polish and English", (count, polish, english) => {
    const said = (language: Language) =>
      textsIn(language)("cp:premium.now", { amount: "X", count }).replaceAll("\u00A0", " ");
    expect(said("pl")).toBe(`Do zapłaty teraz: X, ${polish}`);
    expect(said("en")).toBe(`To pay now: X, ${english}`);
  });
});

const policy = (name: string, validFrom: string, validTo: string, owed?: Premium) => ({
  policyNo: name,
  name,
  validFrom,
  validTo,
  premium: owed,
});

it("[F65] what is overdue longest comes first, then what is due soon, then cover that ends; the rest as ever", () => {
  const policies = [
    policy("ended long ago", "2024-01-01", "2024-12-31"),
    policy("begins later", "2027-03-01", "2028-02-28"),
    policy("active", "2026-01-01", "2027-01-31"),
    policy("begins next", "2026-12-01", "2027-11-30"),
    policy("ends soon", "2026-01-01", "2026-12-01"),
    policy("ended", "2025-01-01", "2025-12-31"),
    policy("due later", "2026-01-01", "2027-01-30", premium("2027-01-15", null)),
    policy("due last", "2026-01-01", "2027-06-30", premium("2026-12-12", null)),
    policy("due first", "2026-12-20", "2027-12-19", premium("2026-11-28", null)),
    policy("overdue", "2026-01-01", "2026-12-31", premium("2026-11-27", null)),
    policy("ended with a debt", "2025-01-01", "2025-12-31", premium("2025-10-01", null)),
    policy("paid", "2026-01-01", "2027-01-29", premium("2026-11-27", "2027-01-29")),
  ];
  expect(byWhatMattersNow(policies, TODAY).map(({ name }) => name)).toEqual([
    "ended with a debt",
    "overdue",
    "due first",
    "due last",
    "ends soon",
    "paid",
    "due later",
    "active",
    "begins next",
    "begins later",
    "ended",
    "ended long ago",
  ]);
});

describe("[F67] the days that a calendar reminds of", () => {
  const days = (dueOn: string | null, validTo: string) =>
    daysAhead(policy("Dom", "2026-01-01", validTo, premium(dueOn, null)), TODAY);

  it("are those ahead, today included", () => {
    expect(days(TODAY, TODAY)).toEqual([
      { kind: "due", day: TODAY },
      { kind: "end", day: TODAY },
    ]);
    expect(days("2099-01-01", "2026-12-31")).toEqual([
      { kind: "due", day: "2099-01-01" },
      { kind: "end", day: "2026-12-31" },
    ]);
  });

  it("have no end of cover without an end", () => {
    expect(days(null, "9999-12-31")).toEqual([]);
  });

  it("are none of the past, and none that is paid", () => {
    expect(days("2026-11-27", "2026-11-27")).toEqual([]);
    const paid = policy("Dom", "2026-01-01", "2026-11-27", premium("2026-12-10", "2026-12-10"));
    expect(daysAhead(paid, TODAY)).toEqual([]);
  });
});

it("cover without an end says so, and never ends soon", () => {
  const endless = policy("Życie", "2001-01-01", "9999-12-31");
  expect(policyState(endless, TODAY)).toEqual({ kind: "active" });
  const text = renderToStaticMarkup(<>{periodFact(textsIn(), endless).value}</>);
  expect(text.replaceAll("\u00A0", " ")).toBe("od 1 stycznia 2001, bezterminowo");
});

it("[F68] only a car's policy is shown at the roadside", () => {
  expect(hasProof({ product: "car" })).toBe(true);
  for (const product of ["home", "other", undefined]) expect(hasProof({ product })).toBe(false);
});
