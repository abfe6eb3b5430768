import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ANNA, JAN, PIOTR } from "../demo-customers";
import { startPortal, usualDataDir, wrongCode, type Portal } from "../portal";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";

let dataDir: string;
let portal: Portal;

beforeAll(async () => {
  dataDir = await usualDataDir();
  portal = await startPortal({ dataDir });
});
afterAll(async () => {
  await portal.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Kills the process, as a power cut would, and starts it again on the same data. */
async function restart(): Promise<void> {
  await portal.stop("SIGKILL");
  portal = await startPortal({ dataDir });
}

/** The same browser, on the portal that runs now. */
function returning(visitor: Visitor): Visitor {
  const back = new Visitor(portal);
  for (const [name, value] of visitor.cookies) back.cookies.set(name, value);
  return back;
}

async function newVisitor(): Promise<Visitor> {
  const visitor = new Visitor(portal);
  await visitor.accept();
  return visitor;
}

test("[S17, S22] three wrong passwords or codes, a power cut, two more: the account is locked, the code blocked", async () => {
  const guesser = await newVisitor();
  const pending = await newVisitor();
  await pending.begin(PIOTR);
  const code = await portal.lastCode(PIOTR.phone);
  for (let nth = 1; nth <= 3; nth += 1) {
    const { body } = await guesser.login({ ...ANNA, password: `Zle-Haslo-${nth}` });
    expect(body).toContain("Nieprawidłowa nazwa");
    expect((await pending.confirm(wrongCode(code, nth))).body).toContain("Nieprawidłowy kod");
  }

  await restart();
  const guessing = returning(guesser);
  const typing = returning(pending);
  const guess = async (password: string) => (await guessing.login({ ...ANNA, password })).body;
  expect(await guess("Zle-Haslo-4")).toContain("Nieprawidłowa nazwa");
  expect(await guess("Zle-Haslo-5")).toContain("Konto zablokowane");
  expect((await typing.confirm(wrongCode(code, 4))).body).toContain("Nieprawidłowy kod");
  expect((await typing.confirm(wrongCode(code, 5))).body).toContain("Kod autoryzacyjny zablokowany");

  await restart();
  expect((await returning(guessing).login(ANNA)).body).toContain("Konto zablokowane");
  const late = returning(typing);
  expect((await late.confirm(code)).body).toContain("Kod autoryzacyjny zablokowany");
  await late.post("/home/mfa", { intent: "send-code" });
  expect((await late.confirm(await portal.lastCode(PIOTR.phone))).header("Location")).toBe("/cp");
});

test.each(IS_RELEASE ? [1, 6, 15] : [6])(
  "a power cut in the middle of a burst, after %i answers: nobody is half signed in",
  async (answersBefore) => {
    const visitors = await Promise.all(Array.from({ length: 20 }, newVisitor));
    for (const visitor of visitors) await visitor.login(JAN);
    const messages = (await portal.outbox()).map(({ text }) => /\d{6}/.exec(text)?.[0] ?? "");
    const codes = messages.slice(0, visitors.length).reverse();

    let answered = 0;
    const confirmed = await Promise.all(
      visitors.map(async (visitor, nth) => {
        const answer = await visitor.confirm(codes[nth] ?? "").catch(() => undefined);
        answered += 1;
        if (answered === answersBefore) await portal.stop("SIGKILL");
        return answer?.header("Location") === "/cp";
      }),
    );
    expect(confirmed.filter(Boolean).length).toBeGreaterThanOrEqual(answersBefore);
    portal = await startPortal({ dataDir });

    for (const [nth, visitor] of visitors.entries()) {
      const back = returning(visitor);
      const page = await back.get("/cp");
      // Visitors who were told that they are signed in still are. The others wait for a code that still works, or start
      // over.
      if (confirmed[nth]) expect([nth, page.status]).toEqual([nth, 200]);
      else if (page.header("Location") === "/home/mfa") {
        expect([nth, (await back.confirm(codes[nth] ?? "")).header("Location")]).toEqual([nth, "/cp"]);
      } else expect([nth, page.header("Location")]).toEqual([nth, "/home"]);
    }
    expect(portal.log()).not.toMatch(/"level":"error"/);
  },
);
