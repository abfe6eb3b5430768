import { LIMITS } from "~/platform/config/limits";
import { ANNA, JAN, PIOTR } from "../../tests/demo-customers";
import type { HttpAnswer } from "../../tests/http-request";
import { customersOf, register } from "../../tests/new-account";
import { wrongCode } from "../../tests/portal";
import type { Topology } from "../../tests/topology/topology";
import { Visitor } from "../../tests/visitor";
import { count, verdict } from "../../tests/attack/sign-in-verdicts";
import type { Outcome, Seen } from "./outcome";
import { ADDRESS_RATES_LIFTED, SHIPPED } from "../bench/looseness";
import { atTopology, attackThroughNginx } from "./place";

const FIFTY = Array.from({ length: 50 }, (_, nth) => nth);
/** How many wrong tries a code or an account allows, as shipped. */
const TRIES = 5;
const customer = customersOf();

interface Assault {
  readonly name: string;
  readonly run: (topology: Topology) => Promise<Seen>;
}

/** Fifty requests at the same moment, spread over two processes that share one PostgreSQL. */
export function attackAtOnce(): Promise<readonly Outcome[]> {
  // An attacker has many addresses. The wait for a hash depends on the machine. nginx takes a hundred requests at once
  // from one address.
  const env = { ...SHIPPED, ...ADDRESS_RATES_LIFTED, LIMIT_HASH_WAIT_MS: "9000" };
  return atTopology({ env }, async (topology) => {
    const outcomes: Outcome[] = [];
    for (const { name, run } of ASSAULTS)
      outcomes.push(
        await attackThroughNginx(topology, { attack: `50 at once: ${name}`, kind: "others" }, () =>
          run(topology),
        ),
      );
    return outcomes;
  });
}

const ASSAULTS: readonly Assault[] = [
  { name: "wrong passwords", run: wrongPasswords },
  { name: "wrong codes", run: wrongCodes },
  { name: "the right code", run: rightCode },
  { name: "resend", run: resend },
  { name: "sign-ins from one browser", run: signIns },
  { name: "reset inits", run: resetInits },
];

async function wrongPasswords(topology: Topology): Promise<Seen> {
  const visitors = await Promise.all(FIFTY.map(() => arrived(topology)));
  const answers = await Promise.all(
    visitors.map((visitor, nth) => visitor.login({ ...JAN, password: `Zle-Haslo-${nth}!` })),
  );
  const seen = count(answers.map(verdict));
  const right = verdict(await (await arrived(topology)).login(JAN));
  return seenOf(seen, [
    [(seen["101"] ?? 0) <= TRIES, `${seen["101"] ?? 0} passwords were compared`],
    [onlyThese(seen, ["101", "106"]), "an answer of another kind"],
    [right === "106", `the right password afterwards: ${right}`],
  ]);
}

async function wrongCodes(topology: Topology): Promise<Seen> {
  const visitor = new Visitor(topology);
  await visitor.begin(ANNA);
  const code = await topology.lastCode(ANNA.phone);
  const answers = await Promise.all(FIFTY.map((nth) => visitor.twin().confirm(wrongCode(code, nth + 1))));
  const seen = count(answers.map(verdict));
  const right = verdict(await visitor.twin().confirm(code));
  return seenOf(seen, [
    [(seen["007"] ?? 0) < TRIES, `${seen["007"] ?? 0} codes were compared and called wrong`],
    [onlyThese(seen, ["007", "016"]), "an answer of another kind"],
    [right === "016", `the right code afterwards: ${right}`],
  ]);
}

async function rightCode(topology: Topology): Promise<Seen> {
  const visitor = new Visitor(topology);
  await visitor.begin(PIOTR);
  const code = await topology.lastCode(PIOTR.phone);
  const before = await topology.database.count("sessions");
  const windows = FIFTY.map(() => visitor.twin());
  const answers = await Promise.all(windows.map((window) => window.confirm(code, true)));
  const seen = count(answers.map(verdict));
  const sessions = new Set(windows.map(({ cookies }) => cookies.get("__Host-session")));
  const more = (await topology.database.count("sessions")) - before;
  return seenOf(seen, [
    [seen["→ /cp"] === FIFTY.length, "a window that did not get in"],
    [sessions.size === 1, `${sessions.size} sessions`],
    // The pending one becomes active.
    [more <= 0, `${more} more sessions in the database`],
  ]);
}

async function resend(topology: Topology): Promise<Seen> {
  const { account } = await register(topology, customer());
  const visitor = new Visitor(topology);
  await visitor.begin(account);
  return countMessages(topology, account.phone, 1, () =>
    Promise.all(FIFTY.map(() => visitor.twin().post("/home/mfa", { intent: "send-code" }))),
  );
}

/** Fifty sign-ins from one browser: after the first one, its code is already on its way. */
async function signIns(topology: Topology): Promise<Seen> {
  const { account } = await register(topology, customer());
  const visitor = await arrived(topology);
  return countMessages(topology, account.phone, 1, () =>
    Promise.all(FIFTY.map(() => visitor.twin().login(account))),
  );
}

/** A reset from each of fifty browsers, so that only the caps of one number stand in the way. */
async function resetInits(topology: Topology): Promise<Seen> {
  const { account } = await register(topology, customer());
  const visitors = await Promise.all(FIFTY.map(() => arrived(topology)));
  return countMessages(topology, account.phone, LIMITS.SMS_OPEN_PER_10_MINUTES, () =>
    Promise.all(
      visitors.map((visitor) => visitor.post("/home/reset-password-init", { username: account.username })),
    ),
  );
}

async function countMessages(
  topology: Topology,
  phone: string,
  most: number,
  send: () => Promise<readonly HttpAnswer[]>,
): Promise<Seen> {
  const before = await topology.messagesTo(phone);
  const seen = count((await send()).map(verdict));
  const sent = (await topology.messagesTo(phone)) - before;
  return seenOf(
    seen,
    [[sent <= most, `${sent} messages, ${most} at most were to be sent`]],
    `${sent} messages`,
  );
}

async function arrived(topology: Topology): Promise<Visitor> {
  const visitor = new Visitor(topology);
  await visitor.accept();
  return visitor;
}

/** Conditions that must hold, each with the finding to report if it doesn't. */
type Promised = readonly (readonly [boolean, string])[];

function seenOf(seen: Readonly<Record<string, number>>, promised: Promised, more?: string): Seen {
  const inWords = Object.entries(seen).map(([outcome, times]) => `${times} × ${shortened(outcome)}`);
  return {
    findings: promised.flatMap(([holds, words]) => (holds ? [] : [`${words} (${inWords.join(", ")})`])),
    notes: [[...inWords, ...(more === undefined ? [] : [more])].join(", ")],
  };
}

function onlyThese(seen: Readonly<Record<string, number>>, outcomes: readonly string[]): boolean {
  return Object.keys(seen).every((one) => outcomes.includes(one));
}

/** Shortens an outcome that has the whole body to its status. */
function shortened(outcome: string): string {
  return outcome.replace(/^(\d+): [\s\S]*/, "status $1");
}
