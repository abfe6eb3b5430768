import type { Request } from "@playwright/test";
import { ANNA } from "../../demo-customers";
import { FormVisitor } from "../../forms/form-visitor";
import { PlainBrowser } from "../../forms/plain-browser";
import { FIRST_PASSWORD } from "../../new-account";
import { wrongCode } from "../../portal";
import { expect, test } from "../account";
import type { JourneyVisitor } from "../journey-visitor";

test.use({ javaScriptEnabled: false });

/** The headers by which a portal may tell visitors apart. */
const TOLD = [
  "accept",
  "accept-language",
  "content-type",
  "origin",
  "referer",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
  "sec-fetch-user",
  "upgrade-insecure-requests",
  "user-agent",
];

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request without what differs by the run (codes, times, customers) and by Chromium's version. */
function comparable({ method, url, headers, body }: Asked, customer: Readonly<Record<string, string>>) {
  let text = JSON.stringify([method, url, TOLD.map((name) => `${name}: ${headers[name] ?? "-"}`), body]);
  for (const [name, value] of Object.entries(customer)) text = text.replaceAll(value, `<${name}>`);
  return text
    .replace(/(authorizationCode=)\d{6}/, "$1<code>")
    .replace(/(sentAt=)\d+/, "$1<time>")
    .replace(/(image\/\w+,)+/, "<pictures>,")
    .replace(/(Headless)?Chrome\/[\d.]+/, "Chrome/<version>");
}

async function signInAndOut(visitor: JourneyVisitor, arrive: () => Promise<void>): Promise<void> {
  await arrive();
  await visitor.login({ username: ANNA.username, password: "Zle-Haslo-2026!" });
  await visitor.alerted("Nieprawidłowa nazwa użytkownika lub hasło.");
  await visitor.login(ANNA);
  await visitor.lands("/home/mfa");
  const code = await visitor.portal.lastCode(ANNA.phone);
  await visitor.turn("Dodaj to urządzenie do zaufanych", false);
  await visitor.confirm(wrongCode(code));
  await visitor.refused("Nieprawidłowy kod");
  await visitor.confirm(code);
  await visitor.lands("/cp");
  await visitor.follow("Moje dane", { landmark: "header" });
  await visitor.lands("/cp/profile");
  await visitor.signOut();
}

async function registerWith(
  visitor: JourneyVisitor,
  customer: { policyNo: string; pid: string; phone: string },
): Promise<void> {
  await visitor.open("/home/register");
  await visitor.lands("/home/register");
  await visitor.fill({ policyNo: customer.policyNo, pid: customer.pid });
  await visitor.press("Wyślij kod autoryzacyjny");
  await visitor.lands("/home/set-password");
  await visitor.setPassword(await visitor.portal.lastCode(customer.phone), FIRST_PASSWORD);
  await visitor.lands("/home/confirm-login");
  await visitor.follow("Zostaw tę nazwę");
  await visitor.lands("/cp");
}

test("a visitor without a browser sends the same headers and bodies as Chromium without scripts", async ({
  person,
  page,
  portal,
  playwright,
  nextNewcomer,
}) => {
  const requests: Request[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) requests.push(request);
  });
  const first = nextNewcomer();
  await signInAndOut(person, () => person.arriveByHand());
  await registerWith(person, first);
  const ofChromium = await Promise.all(
    requests.map(async (request) => ({
      method: request.method(),
      url: request.url(),
      headers: await request.allHeaders(),
      body: request.postData() ?? "",
    })),
  );

  const asked: Asked[] = [];
  const browser = new PlainBrowser(playwright.request, portal.origin, (ask) => asked.push(ask));
  const visitor = new FormVisitor(browser, portal);
  const second = nextNewcomer();
  await signInAndOut(visitor, () => visitor.arrive());
  await registerWith(visitor, second);
  await browser.close();

  const values = ({ policyNo, pid }: typeof first) => ({ policyNo, pid });
  expect(asked.map((each) => comparable(each, values(second)))).toEqual(
    ofChromium.map((each) => comparable(each, values(first))),
  );
});
