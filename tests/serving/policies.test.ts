import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isoDayInPoland } from "~/platform/time.server";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import { readPage } from "../attack/account-page";
import { json, SIGNED_IN, startHostileBackend, type HostileBackend } from "../attack/hostile-backend";

const PAY_PAGE = "https://pay.insurer.example/now?policy={policyNo}&sum={amount}";

let backend: HostileBackend;
let portal: Portal;
beforeAll(async () => {
  backend = await startHostileBackend();
  portal = await startPortal({ env: { BACKEND_URL: backend.url, BRAND_PAYMENT_URL: PAY_PAGE } });
});
afterAll(async () => {
  await portal.stop();
  await backend.stop();
});

const DAY_MS = 24 * 60 * 60 * 1000;
/** So many days from today in Poland, where the portal counts them: in the evening of UTC it is already tomorrow there. */
const day = (days: number) =>
  new Date(Date.parse(isoDayInPoland(Date.now())) + days * DAY_MS).toISOString().slice(0, 10);
const policy = (name: string, from: number, to: number) => ({
  policyNo: `POL-${name.length}${Math.abs(from)}`,
  name,
  validFrom: day(from),
  validTo: day(to),
});

async function open(
  policies: readonly object[],
  query = "",
): Promise<{ status: number; body: string; text: string }> {
  backend.replies.policies = json(200, { policies });
  return get(`/cp${query}`);
}

async function get(address: string): Promise<{ status: number; body: string; text: string }> {
  const visitor = new Visitor(portal);
  visitor.cookies.set("accepted-cookies", "true");
  for (const [name, value] of Object.entries(SIGNED_IN)) visitor.cookies.set(name, value);
  const { status, body } = await visitor.get(address);
  return { status, body, text: readPage(body).text };
}

// Their order and what a search finds: unit/journeys.
const MANY = Array.from({ length: 11 }, (_, nth) => policy(`Mieszkanie ${nth + 1}`, nth - 300, nth + 64));

test("with more than ten policies there is a search by name and number, which works without scripts", async () => {
  expect((await open(MANY)).body).toContain('type="search"');
  const found = await open([...MANY, policy("Łódź żaglowa", -10, 200)], "?q=LODZ");
  expect(found.text).toContain("Znaleziono 1 polisę.");
  expect(found.text).toContain("Łódź żaglowa");
  expect(found.text).not.toContain("Mieszkanie");
  expect(found.body).toContain('value="LODZ"');
  const none = await open(MANY, "?q=samolot");
  expect(none.text).toContain("Nie ma takiej polisy.");
  expect(none.text).not.toContain("nie ma jeszcze polis");
});

test("what is typed in the address is only text, however hostile", async () => {
  for (const typed of ["<script>alert(1)</script>", "%00%FF", ".*+?^${}()|[]\\", "a".repeat(1500)]) {
    const { status, body } = await open(MANY, `?q=${encodeURIComponent(typed)}`);
    expect(status).toBe(200);
    expect(body).not.toContain("<script>alert(1)");
  }
});

describe("[F66] paying, at an attached backend", () => {
  const PREMIUM = {
    amount: "129.00",
    currency: "PLN",
    dueOn: day(5),
    paidUntil: null,
    account: null,
    title: null,
  };
  const show = (premium: unknown) => {
    const body = {
      ...policy("Auto", -100, 264),
      policyNo: "POL 1&x=2",
      id: "p1",
      insured: "Anna Nowak",
      documents: [],
    };
    backend.replies.policy = json(200, { ...body, premium });
    return get("/cp/policy/p1/payment");
  };

  test("leads to the insurer's pay page, with policy number and amount encoded", async () => {
    const { body } = await show(PREMIUM);
    expect(body).toContain('href="https://pay.insurer.example/now?policy=POL%201%26x%3D2&amp;sum=129.00"');
    expect(body).not.toContain("Przelew");
  });

  test("is no page for an account with a wrong digit", async () => {
    expect((await show({ ...PREMIUM, account: "PL61109010140000071219812875" })).status).toBe(404);
    expect((await get("/cp/policy/p1")).text).not.toMatch(/Składka|zł/);
  });
});
