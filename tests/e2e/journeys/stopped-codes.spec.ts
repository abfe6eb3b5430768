import { ANNA } from "../../demo-customers";
import { startPortal } from "../../portal";
import { Visitor } from "../../visitor";
import { expect, test } from "./journey";

test("[F33] when no code can be sent, the code screen says until when and whom to call; 'Wstecz' leaves", async ({
  visitorAt,
}) => {
  const portal = await startPortal({ env: { LIMIT_SMS_KNOWN_PER_10_MINUTES: "1" } });
  // In another browser, a visitor who knows the password has had the only code that is allowed.
  const elsewhere = new Visitor(portal);
  await elsewhere.accept();
  await elsewhere.begin(ANNA);

  const visitor = await visitorAt(portal);
  await visitor.reachCode(ANNA);
  await visitor.reads(/Kolejny kod wyślemy najwcześniej o\s\d+:\d\d\./);
  expect(await visitor.linkOf("800 100 200")).toMatch(/^tel:/);
  await visitor.offers("button", "Wyślij kod autoryzacyjny", 0);
  await visitor.reload();
  await visitor.reads("Kolejny kod wyślemy najwcześniej");
  expect(await portal.messagesTo(ANNA.phone)).toBe(1);
  await visitor.press("Wstecz");
  await visitor.lands("/home");
  expect(await visitor.cookieNames()).not.toContain("session");
  await portal.stop();
});
