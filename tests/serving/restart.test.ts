import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ANNA, JAN, PIOTR } from "../demo-customers";
import { startPortal, usualDataDir, wrongCode, type Portal } from "../portal";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";

let dataDir: string;
let portal: Portal;

beforeEach(async () => {
  dataDir = await usualDataDir();
  portal = await startPortal({ dataDir });
});
afterEach(async () => {
  await portal.stop("SIGKILL");
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

describe("[S17] counts survive a restart", () => {
  test("three wrong passwords, a power cut, two more: locked", async () => {
    const before = await newVisitor();
    for (let nth = 0; nth < 3; nth += 1) {
      expect((await before.login({ ...ANNA, password: `Zle-Haslo-${nth}` })).body).toContain(
        "Nieprawidłowa nazwa",
      );
    }
    await restart();
    const after = returning(before);
    expect((await after.login({ ...ANNA, password: "Zle-Haslo-3" })).body).toContain("Nieprawidłowa nazwa");
    expect((await after.login({ ...ANNA, password: "Zle-Haslo-4" })).body).toContain("Konto zablokowane");
    expect((await after.login(ANNA)).body).toContain("Konto zablokowane");

    await restart();
    expect((await returning(after).login(ANNA)).body).toContain("Konto zablokowane");
  });

  test("[S22] three wrong codes, a power cut, two more: the code is blocked; a new one works", async () => {
    const before = await newVisitor();
    await before.begin(PIOTR);
    const code = await portal.lastCode(PIOTR.phone);
    for (let nth = 1; nth <= 3; nth += 1) {
      expect((await before.confirm(wrongCode(code, nth))).body).toContain("Nieprawidłowy kod");
    }
    await restart();
    const after = returning(before);
    expect((await after.confirm(wrongCode(code, 4))).body).toContain("Nieprawidłowy kod");
    expect((await after.confirm(wrongCode(code, 5))).body).toContain("Kod autoryzacyjny zablokowany");
    expect((await after.confirm(code)).body).toContain("Kod autoryzacyjny zablokowany");

    await after.post("/home/mfa", { intent: "send-code" });
    expect((await after.confirm(await portal.lastCode(PIOTR.phone))).header("Location")).toBe("/cp");
  });
});

describe("nobody is half signed in", () => {
  test.runIf(IS_RELEASE)(
    "a pending visitor can still use the code that was sent, and a signed-in customer stays signed in",
    async () => {
      const waiting = await newVisitor();
      await waiting.begin(ANNA);
      const code = await portal.lastCode(ANNA.phone);
      const signedIn = await newVisitor();
      await signedIn.signIn(JAN, true);
      await restart();

      expect((await returning(signedIn).get("/cp")).status).toBe(200);
      expect((await returning(waiting).get("/cp")).header("Location")).toBe("/home/mfa");
      expect((await returning(waiting).confirm(code)).header("Location")).toBe("/cp");

      const trusted = returning(signedIn);
      await trusted.post("/home/logout");
      expect((await trusted.login(JAN)).header("Location")).toBe("/cp");
    },
  );

  test.each(IS_RELEASE ? [1, 12, 30] : [12])(
    "a power cut in the middle of a burst, after %i answers",
    async (answersBefore) => {
      const visitors = await Promise.all(Array.from({ length: 40 }, newVisitor));
      for (const visitor of visitors) await visitor.login(ANNA);
      const messages = (await portal.outbox()).map(({ text }) => /\d{6}/.exec(text)?.[0] ?? "");
      const codes = messages.slice(0, visitors.length).reverse();
      expect(codes).toHaveLength(40);

      let answered = 0;
      const confirmed = await Promise.all(
        visitors.map(async (visitor, nth) => {
          const asked = visitor.confirm(codes[nth] ?? "").catch(() => undefined);
          const answer = await asked;
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
});

/** A browser's kept connection after its first answer; `closed` resolves when the portal ends it. */
function keptConnection(port: number): Promise<{ readonly closed: Promise<void> }> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise<void>((done) => {
      socket.once("close", () => {
        done();
      });
    });
    socket.once("data", () => {
      resolve({ closed });
    });
    socket.write("GET /favicon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  });
}

describe("the end of the process", () => {
  test("SIGTERM: exit code 0 within seconds despite kept connections, and requests in progress are answered", async () => {
    const kept = await Promise.all(Array.from({ length: 5 }, () => keptConnection(portal.port)));
    const visitor = await newVisitor();
    const begunAt = Date.now();
    const answers = Array.from({ length: 4 }, () =>
      visitor.twin().login({ username: "nikt.nigdy", password: "Zle-Haslo-1" }),
    );
    await Promise.race(answers);
    const exit = await portal.stop("SIGTERM");
    expect(exit).toEqual({ code: 0, signal: null });
    expect(Date.now() - begunAt).toBeLessThan(5000);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    await Promise.all(kept.map(({ closed }) => closed));
  });

  test.each(IS_RELEASE ? (["SIGTERM", "SIGINT"] as const) : (["SIGINT"] as const))(
    "%s twice works like once: exit code 0",
    async (signal) => {
      const first = portal.stop(signal);
      const second = portal.stop(signal);
      expect([(await first).code, (await second).code]).toEqual([0, 0]);
    },
  );
});
