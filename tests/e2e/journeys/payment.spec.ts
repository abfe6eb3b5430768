import { ANNA, PIOTR, type RegisteredCustomer } from "../../demo-customers";
import { Visitor } from "../../visitor";
import type { JourneyVisitor } from "../journey-visitor";
import { expect, test as base } from "./journey";
import { openPolicy } from "./open-policy";

const CAR = "OC i AC – Toyota Yaris";
const PAYMENT = /^\/cp\/policy\/[^/]+\/payment$/;

const test = base.extend<{
  /** Signs a customer of the demo in and opens My Policies. */
  readonly openPoliciesOf: (customer: RegisteredCustomer) => Promise<void>;
}>({
  openPoliciesOf: ({ visitor, portal }, use) =>
    use(async (customer) => {
      const mine = new Visitor(portal);
      await mine.signIn(customer);
      await visitor.takeOver(mine);
      await visitor.open("/cp");
    }),
});

/** Goes from My Policies to the page of Anna's car, whose premium is due in nine days. */
async function openCar(visitor: JourneyVisitor): Promise<void> {
  await visitor.follow(CAR);
  await visitor.lands(/^\/cp\/policy\/[^/]+$/);
}

test("[F65] My Policies says what is due, the nearest first, and the card leads to paying", async ({
  visitor,
  openPoliciesOf,
}) => {
  await openPoliciesOf(ANNA);
  await visitor.reads(/412,50\szł\s–\szapłać\sdo\s\d{1,2}\s\p{L}+/u, { item: CAR });
  await visitor.reads("Następna rata: 129,00\u00A0zł, do", { item: "Ubezpieczenie mieszkania" });
  await visitor.reads("Opłacona do", { item: "Ubezpieczenie podróży" });
  // The car comes first.
  await visitor.reads(new RegExp(`${CAR.replaceAll(" ", String.raw`\s`)}.*Ubezpieczenie\\smieszkania`, "s"));
  await visitor.follow(`Zapłać składkę: ${CAR}`);
  await visitor.lands(PAYMENT);
  await visitor.headed("Zapłać składkę");
});

test("[F65] an overdue premium comes before everything else, below the sum of what is to be paid now", async ({
  visitor,
  openPoliciesOf,
}) => {
  await openPoliciesOf(PIOTR);
  await visitor.reads(
    /Do\szapłaty\steraz:\s263,20\szł,\s2\spolisy.*189,00\szł\s–\stermin\sminął\s\d+\s\p{L}+/su,
  );
  await visitor.follow("Zapłać najpierw: OC – Škoda Octavia");
  await visitor.lands(PAYMENT);
  await visitor.headed("Zapłać składkę");
});

test("[F66] a policy's page leads to the details of a transfer, which are text, and to the data's day", async ({
  visitor,
  openPoliciesOf,
}) => {
  await openPoliciesOf(ANNA);
  await openCar(visitor);
  await visitor.follow("Zapłać składkę");
  await visitor.lands(PAYMENT);
  await visitor.titled("Składka za polisę POL-110001 – Portal klienta | Tarnea Ubezpieczenia");
  await visitor.reads(/^PL\d\d(\s\d{4}){6}/, { fact: "Numer rachunku" });
  await visitor.reads("Tarnea Ubezpieczenia", { fact: "Odbiorca" });
  await visitor.reads("POL-110001", { fact: "Tytuł przelewu" });
  await visitor.reads("412,50\u00A0zł", { fact: "Kwota" });
  await visitor.reads(/Stan\sna\s\d{1,2}\s\p{L}+\s\d{4}\./u);
  await visitor.follow("Polisa");
  await visitor.headed(CAR);
});

test("[F66] a plain link saves the code of a transfer as a picture", async ({ visitor, openPoliciesOf }) => {
  await openPoliciesOf(ANNA);
  await openCar(visitor);
  await visitor.follow("Zapłać składkę");
  await visitor.lands(PAYMENT);
  const { name, bytes } = await visitor.saves("Zapisz obraz kodu");
  expect(name).toBe("kod-przelewu.png");
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
});

test("[F67] a link on a policy's page downloads its days for a calendar", async ({
  visitor,
  openPoliciesOf,
}) => {
  await openPoliciesOf(ANNA);
  await openCar(visitor);
  const { name, bytes } = await visitor.saves("Dodaj terminy do kalendarza");
  expect(name).toBe("terminy-polisy.ics");
  const file = bytes.toString("utf8");
  expect(file).toContain(`SUMMARY:Termin płatności składki: ${CAR}\r\n`);
  expect(file).toContain(`SUMMARY:Koniec ochrony: ${CAR}\r\n`);
  expect(file).not.toMatch(/POL-110001|412|Anna/);
});

test("[F68] a car's policy is shown at the roadside, and says that it doesn't replace the policy", async ({
  visitor,
  openPoliciesOf,
}) => {
  await openPoliciesOf(ANNA);
  await openCar(visitor);
  await visitor.follow("Dane polisy na drogę");
  await visitor.lands(/\/proof$/);
  await visitor.headed(CAR);
  for (const said of ["Anna Nowak", "POL-110001", "To informacja o ubezpieczeniu. Nie zastępuje polisy."])
    await visitor.reads(said);
  expect(await visitor.linkOf(/^22\s100\s20\s99$/)).toBe("tel:+48221002099");
});

test("a policy without premium data, and one of no car, have no such pages", async ({
  visitor,
  signedIn,
  expectedOnConsole,
}) => {
  await openPolicy(visitor, signedIn);
  await visitor.lacks(/Składka|Zapłać|na drogę/);
  expectedOnConsole.push(/the server responded with a status of 404/);
  const path = await visitor.path();
  for (const part of ["payment", "proof"]) {
    await visitor.open(`${path}/${part}`);
    await visitor.answered(404);
    await visitor.headed("Nie ma takiej strony");
  }
});
