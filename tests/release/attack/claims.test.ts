import { afterEach, expect, test } from "vitest";
import { ANNA, PIOTR } from "../../demo-customers";
import { startPortal, type Portal } from "../../portal";
import { Visitor } from "../../visitor";
import { readPage } from "../../attack/account-page";

/** An insurer with other numbers than the demo's. */
const PHONES = { BRAND_PHONES: "22 555 60 70, 800 555 600" };
const CLAIMS = { ...PHONES, BRAND_CLAIMS_PHONE: "22 300 40 50", BRAND_CLAIMS_HOURS: "8-20" };
const ALL = {
  ...CLAIMS,
  BRAND_CLAIMS_URL: "https://szkody.insurer.example/zgloszenie",
  BRAND_ASSISTANCE_PHONE: "22 300 40 99",
  BRAND_RENEWAL_URL: "https://insurer.example/przedluzenie",
  BRAND_EMAIL: "pomoc@insurer.example",
};

/** The policy of Piotr whose cover ends. */
const ENDING = "POL-120002";

let portal: Portal;
afterEach(() => portal.stop());

/** The list, the page of the policy with this number and Contact, as a customer sees them. */
async function pages(
  env: Readonly<Record<string, string>>,
  customer: typeof ANNA = ANNA,
  policyNo = customer.policyNo,
) {
  portal = await startPortal({ env });
  const visitor = new Visitor(portal);
  await visitor.signIn(customer);
  const list = await page(visitor, "/cp");
  const card = list.cards.find((html) => html.includes(policyNo)) ?? "";
  const [address = ""] = /\/cp\/policy\/[^"#]+/.exec(card) ?? [];
  return { list, address, policy: await page(visitor, address), contact: await page(visitor, "/cp/contact") };
}

async function page(visitor: Visitor, address: string) {
  const { body } = await visitor.get(address);
  const main = /<main[\s>][\s\S]*<\/main>/.exec(body)?.[0] ?? "";
  return {
    // Without the space that replaces a tag, and without the characters that keep a range on one line.
    text: readPage(body)
      .text.replaceAll("\u00A0", " ")
      .replace(/ (?=[.,])|\u2060/g, ""),
    /** The HTML of each entry of a list. */
    cards: main.split(/<li\b/).slice(1),
    links: Array.from(main.matchAll(/<a\b[^>]* href="([^"]*)"/g), ([, href = ""]) => href),
  };
}

test("[F61] an insurer with a page and numbers for claims gives all on a policy's page and on Contact", async () => {
  const { list, policy, contact } = await pages(ALL);
  for (const { text, links } of [policy, contact]) {
    expect(text).toContain("Zgłoś szkodę online ");
    expect(text).toContain("Pomoc po szkodzie, całą dobę: 22 300 40 99.");
    expect(text).toContain("Zgłoszenia telefoniczne: 22 300 40 50, od poniedziałku do piątku, 8:00–20:00.");
    expect(text).toContain("dzwoń pod 112");
    for (const href of [ALL.BRAND_CLAIMS_URL, "tel:+48223004099", "tel:+48223004050", "tel:112"])
      expect(links).toContain(href);
  }
  expect(list.links).toContain(ALL.BRAND_CLAIMS_URL);
  expect(policy.links).not.toContain(`mailto:${ALL.BRAND_EMAIL}`);
  expect(contact.links).toContain(`mailto:${ALL.BRAND_EMAIL}`);
});

test("[F61] an insurer with a number for claims alone gives it with its hours, and a button dials it", async () => {
  const { list, address, policy, contact } = await pages(CLAIMS);
  for (const { text, links } of [policy, contact]) {
    expect(text).toContain("Zgłoś szkodę: 22 300 40 50 ");
    expect(text).toContain("Zgłoszenia telefoniczne: 22 300 40 50, od poniedziałku do piątku, 8:00–20:00.");
    expect(links.filter((href) => href === "tel:+48223004050")).toHaveLength(2);
    expect(text).not.toContain("całą dobę");
  }
  expect(list.links).toContain(`${address}#szkoda`);
});

test("[F61] an insurer with neither gives its helpline, and is never given the demo's number for any hour", async () => {
  const { policy, contact } = await pages(PHONES);
  for (const { text, links } of [policy, contact]) {
    expect(text).toContain("Zgłoś szkodę: 800 555 600 (bezpłatnie) ");
    expect(text).toContain(
      "Zadzwoń na infolinię: 800 555 600 (bezpłatnie), od poniedziałku do piątku, 9:00–18:00.",
    );
    expect(links).toContain("tel:+48800555600");
    expect(text).not.toContain("22 100 20 99");
  }
});

test("[F62] an insurer with a page for renewals leads there from the card and the page of a policy that ends", async () => {
  const { list, policy } = await pages(ALL, PIOTR, ENDING);
  expect(list.text).toContain("Przedłuż polisę");
  expect(list.text).toContain("Ubezpiecz się ponownie");
  expect(list.links.filter((href) => href === ALL.BRAND_RENEWAL_URL)).toHaveLength(2);
  expect(policy.text).toContain("Ochrona się kończy");
  expect(policy.links).toContain(ALL.BRAND_RENEWAL_URL);
});
