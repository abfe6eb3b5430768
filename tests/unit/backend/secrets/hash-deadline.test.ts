import { verify } from "@node-rs/argon2";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { IS_RELEASE } from "../../../release-run";
import { recordStatements } from "../store/recorded-statements";
import { openTestBackend, type TestBackend, type TestOptions } from "../test-backend";
import { emptyPlace } from "../test-place";

const WAIT_MS = 3000;
/** This many ms pass whenever a hash ends; as two run at a time, one takes twice as long. */
const STEP_MS = 15;

let now = 0;
/** When each hash was begun, by the password it is for. */
const begun = new Map<string, number>();
let whileHashing: (() => Promise<void>) | undefined;

vi.mock(import("@node-rs/argon2"), async (original) => {
  const real = await original();
  return {
    ...real,
    verify: vi.fn<typeof real.verify>(async (_hash, password) => {
      begun.set(String(password), now);
      await new Promise((resolve) => setImmediate(resolve));
      await whileHashing?.();
      now += STEP_MS;
      return password === ANNA.password;
    }),
  };
});

beforeEach(() => {
  now = 0;
  begun.clear();
  whileHashing = undefined;
  vi.mocked(verify).mockClear();
});

const open = (options: TestOptions = {}) =>
  openTestBackend({ limits: defaultLimits("demo"), stopwatch: () => now, ...options });
/** A sign-in with an unknown username, and a password that no other sign-in uses. */
const signIn = (way: TestBackend, nth: number) =>
  new Browser(way).login({ username: `kto.${nth}x`, password: `Nie-To-Haslo-${nth}` });
const received = async (way: TestBackend, receivedAt: string) =>
  way.fetch("/home/api/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Received-At": receivedAt },
    body: JSON.stringify({ username: ANNA.username, password: ANNA.password }),
  });
const counted = async (way: TestBackend) => {
  const [row] = await way.query("select coalesce(sum(tries), 0) as n from attempts");
  return Number(row?.["n"]);
};

onAnyDatabase((kind) => {
  describe("[S65, S114] sign-ins at once", () => {
    it.each(IS_RELEASE ? [250, 1000] : [250])(
      "%i: every hash begins within 3 s of its request; the others are told to try again later",
      async (many) => {
        const way = await open({ place: await emptyPlace(kind) });
        const answers = await Promise.all(Array.from({ length: many }, (_, nth) => signIn(way, nth)));
        const right = await new Browser(way).login(ANNA);

        const [compared, busy] = [400, 503].map((status) =>
          answers.filter((answer) => answer.status === status),
        );
        expect((compared?.length ?? 0) + (busy?.length ?? 0)).toBe(many);
        for (const { body, headers } of busy ?? []) {
          expect(body).toEqual({ errorCode: "busy", retryAfterSeconds: 2 });
          expect(headers.get("Retry-After")).toBe("2");
        }
        // They all arrived at 0.
        begun.delete(ANNA.password);
        expect(Math.max(...begun.values())).toBeLessThanOrEqual(WAIT_MS);
        expect(begun.size).toBe(compared?.length);
        // No sign-in that could have been served in time is refused.
        expect(begun.size).toBeGreaterThan(150);
        // A refusal has cost no try.
        expect(await counted(way)).toBe(begun.size);
        expect(right.status).toBe(200);
        await way.close();
      },
    );
  });
});

describe("[S114] a sign-in", () => {
  it("is refused before it costs a query, if it would wait too long", async () => {
    const way = await open({ limits: { ...defaultLimits("demo"), HASH_PARALLEL: 1, HASH_PLACES: 1 } });
    let refused: { status: number } | undefined;
    whileHashing = async () => {
      whileHashing = undefined;
      const statements = recordStatements();
      refused = await signIn(way, 2);
      expect(statements()).toEqual([]);
    };
    expect((await signIn(way, 1)).status).toBe(400);
    expect(refused?.status).toBe(503);
    expect((await signIn(way, 3)).status).toBe(400);
    await way.close();
  });

  it("that spent its 3 s elsewhere is refused without a hash, though nobody is waiting", async () => {
    const way = await open();
    expect((await received(way, String(Date.now() - WAIT_MS - 1))).status).toBe(503);
    expect(verify).not.toHaveBeenCalled();
    expect(await counted(way)).toBe(0);
    expect((await received(way, String(Date.now() - WAIT_MS / 2))).status).toBe(200);
    await way.close();
  });

  it("that was slow in the database is refused without a hash, and costs no try", async () => {
    const way = await open();
    way.onClock(() => {
      now = WAIT_MS + 1;
    });
    expect((await signIn(way, 1)).status).toBe(503);
    expect(verify).not.toHaveBeenCalled();
    expect(await counted(way)).toBe(0);
    await way.close();
  });

  it.each(["", "soon", "-1", "1e400", String(Date.now() + 60_000)])(
    "with %j for its time of arrival counts as arriving now",
    async (receivedAt) => {
      const way = await open();
      expect((await received(way, receivedAt)).status).toBe(200);
      await way.close();
    },
  );
});
