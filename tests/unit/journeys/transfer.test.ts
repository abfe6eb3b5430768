import { describe, expect, it } from "vitest";
import type { Premium } from "~/contract/premium.server";
import {
  amountTyped,
  groupsOfFour,
  payPageAddress,
  transferCode,
  transferOf,
} from "~/journeys/customer-area/transfer";
import { withVariables } from "~/platform/config/environment.server";

const PREMIUM: Premium = {
  amount: "129.00",
  currency: "PLN",
  dueOn: "2026-12-10",
  paidUntil: null,
  account: "PL61109010140000071219812874",
  title: null,
};

/** The text of the QR code for a premium, with the brand of these variables. */
function codeOf(told: Partial<Premium>, variables: Readonly<Record<string, string>> = {}) {
  const owed = { ...PREMIUM, ...told };
  return withVariables(variables, () => {
    const transfer = transferOf(owed, "POL-100001");
    return transfer && transferCode(transfer, owed);
  });
}

describe("[F66] the code of a transfer, by the recommendation of the Polish Bank Association", () => {
  it("has country, account, grosze in six digits, recipient and title", () => {
    expect(codeOf({})).toBe("|PL|61109010140000071219812874|012900|Tarnea Ubezpieczenia|POL-100001|||");
  });

  it.each([
    ["0.01", "000001"],
    ["1.50", "000150"],
    ["9999.99", "999999"],
  ])("writes %s as %s", (amount, grosze) => {
    expect(codeOf({ amount })?.split("|")[3]).toBe(grosze);
  });

  it("shortens the recipient to 20 characters, and keeps the bar that separates fields out of it", () => {
    const code = codeOf({}, { BRAND_NAME: "Żółw|Łódź Towarzystwo Ubezpieczeń" });
    expect(code?.split("|")[4]).toBe("Żółw Łódź Towarzystw");
  });

  it("names the recipient that the insurer has set", () => {
    const code = codeOf({}, { BRAND_PAYMENT_RECIPIENT: "Dach TU S.A." });
    expect(code?.split("|")[4]).toBe("Dach TU S.A.");
  });

  it("begins with the insurer's NIP where it is known", () => {
    expect(codeOf({}, { BRAND_PAYMENT_NIP: "9512345675" })).toMatch(/^9512345675\|PL\|/);
  });

  it("has plain spaces, dashes and quotes, and the rest of the letters that banks carry", () => {
    const title = "Rata\u00A02\u2009–\u2009„Dom”, ‘x’ \u2212 Zolc\u0301";
    expect(codeOf({ title })?.split("|")[5]).toBe(`Rata 2 - "Dom", 'x' - Zolć`);
  });

  it("has a plain recipient, too", () => {
    const code = codeOf({}, { BRAND_PAYMENT_RECIPIENT: "Dach\u00A0–\u00A0„Ö”" });
    expect(code?.split("|")[4]).toBe('Dach - "Ö"');
  });

  it.each(["Рата 1", "Rata 1 ☂", "Rata 1 💶", "Señor 1", "Rata…"])(
    "is left out for a title with a letter that banks don't carry: %s",
    (title) => {
      expect(codeOf({ title })).toBeUndefined();
    },
  );

  it("is left out for such a recipient, too", () => {
    expect(codeOf({}, { BRAND_PAYMENT_RECIPIENT: "Дах" })).toBeUndefined();
  });

  it("carries a title of 32 characters whole", () => {
    const title = "Składka za polisę POL-100001 / 1";
    expect(codeOf({ title })?.split("|")[5]).toBe(title);
  });

  it.each<[string, Partial<Premium>]>([
    ["10000 zł", { amount: "10000.00" }],
    ["euro", { currency: "EUR" }],
    ["an account abroad", { account: "DE89370400440532013000" }],
    ["no account", { account: null }],
    ["a title that would be cut", { title: "Składka za polisę POL-100001 / 12" }],
    ["a title with a bar", { title: "POL|100001" }],
  ])("is left out for %s", (_what, told) => {
    expect(codeOf(told)).toBeUndefined();
  });
});

it("[F66] an account is read in groups of four", () => {
  expect(groupsOfFour("PL61109010140000071219812874")).toBe("PL61 1090 1014 0000 0712 1981 2874");
  expect(groupsOfFour("DE89370400440532013000")).toBe("DE89 3704 0044 0532 0130 00");
});

it("[F66] an amount is copied as Polish banks' forms take it", () => {
  expect(amountTyped({ ...PREMIUM, amount: "1234.50" })).toBe("1234,50");
});

it("the insurer's own title goes before the policy's number", () => {
  expect(transferOf({ ...PREMIUM, title: "Rata 2/4" }, "POL-1")?.title).toBe("Rata 2/4");
  expect(transferOf(PREMIUM, "POL-1")?.title).toBe("POL-1");
});

it("the address of the pay page carries number and amount, and nothing in them changes the address", () => {
  const url = "https://pay.example/p?policy={policyNo}&sum={amount}&again={policyNo}";
  expect(payPageAddress(url, "POL-1", PREMIUM)).toBe(
    "https://pay.example/p?policy=POL-1&sum=129.00&again=POL-1",
  );
  expect(payPageAddress(url, "$&{amount}#&x=1", PREMIUM)).toBe(
    "https://pay.example/p?policy=%24%26%7Bamount%7D%23%26x%3D1&sum=129.00&again=%24%26%7Bamount%7D%23%26x%3D1",
  );
});
