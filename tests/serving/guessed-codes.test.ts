import { afterAll, beforeAll, expect, it } from "vitest";
import { timeInPoland } from "~/i18n/times.server";
import { textsIn } from "~/i18n/texts.server";
import { ANNA } from "../demo-customers";
import { appCode } from "../factor-steps";
import { type Portal, startPortal } from "../portal";
import { Visitor } from "../visitor";

const FACTORS = "/cp/api/factors";
const HOURS_MS = 24 * 60 * 60 * 1000;

let portal: Portal;
let app: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  portal = await startPortal({ env: { LIMIT_FACTOR_TRIES: "2", LIMIT_FACTOR_STOP_SECONDS: "86400" } });
  const owner = new Visitor(portal);
  await owner.signIn(ANNA);
  await owner.call("PUT", `${FACTORS}/init`, {});
  const proof = { authorizationCode: await portal.lastCode(ANNA.phone) };
  app = JSON.parse((await owner.call("PUT", `${FACTORS}/app/prepare`, proof)).body) as typeof app;
  const code = appCode(app, Date.now());
  expect((await owner.call("PUT", `${FACTORS}/app/confirm`, { id: app.id, code })).status).toBe(200);
});
afterAll(() => portal.stop());

/** The words of a page, with plain spaces. */
const wordsOf = ({ body }: { readonly body: string }) =>
  body.replaceAll(/<[^>]*>/g, "").replaceAll(/\u00A0|&nbsp;/g, " ");

it("[S154] while guesses are stopped, the screen and its page 429 say for how long, without scripts", async () => {
  const stranger = new Visitor(portal);
  await stranger.begin(ANNA);
  const type = (code: string) =>
    stranger.post("/home/mfa?method=app", { intent: "confirm", method: "app", authorizationCode: code });
  const wrong = appCode(app, Date.now(), 9);
  for (let nth = 0; nth < 2; nth += 1) expect((await type(wrong)).status).toBe(400);

  const right = await type(appCode(app, Date.now(), 1));
  expect(right.status).toBe(429);
  expect(Number(right.header("Retry-After"))).toBeGreaterThan(86_000);
  expect(wordsOf(right)).toContain("Zbyt wiele prób. Spróbuj ponownie za 24 godziny.");

  const another = new Visitor(portal);
  const before = Date.now();
  await another.begin(ANNA);
  const page = wordsOf(await another.get("/home/mfa"));
  const t = textsIn("pl");
  const times = [before - 60_000, before, before + 60_000].map((at) => timeInPoland(t, at + HOURS_MS));
  expect(times.some((time) => page.includes(time.replaceAll("\u00A0", " ")))).toBe(true);
});
