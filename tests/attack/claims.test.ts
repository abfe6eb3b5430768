import { afterEach, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import { readPage } from "./account-page";

const OWN = {
  BRAND_CLAIMS_URL: "https://szkody.insurer.example/zgloszenie",
  BRAND_CLAIMS_PHONE: "22 300 40 50",
  BRAND_EMAIL: "pomoc@insurer.example",
};

let portal: Portal;
afterEach(() => portal.stop());

/** The policy's page and Contact, as a customer is shown them. */
async function pages(env: Readonly<Record<string, string>>) {
  portal = await startPortal({ env });
  const visitor = new Visitor(portal);
  await visitor.signIn(ANNA);
  const address = /href="(\/cp\/policy\/[^"]+)"/.exec((await visitor.get("/cp")).body)?.[1] ?? "";
  return { policy: await page(visitor, address), contact: await page(visitor, "/cp/contact") };
}

async function page(visitor: Visitor, address: string) {
  const { body } = await visitor.get(address);
  const main = /<main[\s>][\s\S]*<\/main>/.exec(body)?.[0] ?? "";
  return {
    text: readPage(body).text.replaceAll("\u00A0", " "),
    links: Array.from(main.matchAll(/<a\b[^>]* href="([^"]*)"/g), ([, href]) => href),
  };
}

test("an insurer with a page and a number for claims gives both on a policy's page and on Contact, and its e-mail on Contact", async () => {
  const { policy, contact } = await pages(OWN);
  for (const { text, links } of [policy, contact]) {
    expect(text).toContain("Zgłoś szkodę online Zadzwoń: 22 300 40 50");
    expect(links).toContain(OWN.BRAND_CLAIMS_URL);
    expect(links).toContain("tel:+48223004050");
  }
  expect(policy.text).not.toContain("infolini");
  expect(policy.links).not.toContain(`mailto:${OWN.BRAND_EMAIL}`);
  expect(contact.links).toContain(`mailto:${OWN.BRAND_EMAIL}`);
});

test("an insurer with neither gives its helpline on a policy's page, and nothing but its helpline on Contact", async () => {
  const { policy, contact } = await pages({});
  expect(policy.text).toContain("Zadzwoń na infolinię: 800 100 200 (bezpłatnie), od poniedziałku do piątku");
  expect(policy.links).toContain("tel:+48800100200");
  expect(policy.text).not.toContain("Zgłoś szkodę online");
  expect(contact.text).not.toContain("Zgłoś szkodę");
  expect(contact.links).toEqual(["tel:+48221002030", "tel:+48800100200"]);
});
