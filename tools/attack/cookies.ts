import { CODE_STEPS } from "../../tests/account-steps";
import { ANNA, PIOTR } from "../../tests/demo-customers";
import type { HttpAnswer } from "../../tests/http-request";
import { customersOf } from "../../tests/new-account";
import { RATES_LIFTED } from "../bench/looseness";
import type { Topology } from "../../tests/topology/topology";
import { Visitor, type Extra } from "../../tests/visitor";
import { BLANKS_IN_HEADERS, lookalikes } from "../../tests/attack/lookalikes";
import { cookieFindings } from "./cookie-attributes";
import type { Outcome, Seen } from "./outcome";
import { SHIPPED } from "../bench/looseness";
import { atTopology, attackThroughNginx } from "./place";

const SESSION = "__Host-session";
const NAMES = [
  SESSION,
  "__Host-browser",
  "__Host-trusted-device",
  "__Host-flow",
  "__Host-language",
  "accepted-cookies",
];
const PATHS = ["/home", "/home/mfa", "/cp", "/home/api/user/info"];

const customer = customersOf();

/** A browser that remembers every Set-Cookie line it received. */
class WatchedVisitor extends Visitor {
  readonly setCookies: string[] = [];

  override async send(
    method: string,
    path: string,
    extra: Extra & { readonly body?: string | Buffer } = {},
  ): Promise<HttpAnswer> {
    const answer = await super.send(method, path, extra);
    this.setCookies.push(...answer.lines("Set-Cookie"));
    return answer;
  }
}

/** Attacks with cookies that the portal did not set, or set for another visitor. */
export function attackCookies(): Promise<readonly Outcome[]> {
  return atTopology({ env: { ...SHIPPED, ...RATES_LIFTED } }, async (topology) => {
    const anna = new Visitor(topology);
    await anna.signIn(ANNA, true);
    const through = (attack: string, work: () => Promise<Seen>) =>
      attackThroughNginx(topology, { attack: `cookies, ${attack}`, kind: "others" }, work);
    return [
      await through("tampered and oversized", () => tampered(anna)),
      await through("swapped between browsers", () => swapped(topology, anna)),
      await through("lookalike names", () => misnamed(anna)),
      await through("session fixation", () => fixation(topology)),
      await through("attributes", () => attributes(topology)),
    ];
  });
}

function forged(real: string): Readonly<Record<string, string>> {
  const first = real.startsWith("A") ? "B" : "A";
  return {
    nothing: "",
    "a character changed": first + real.slice(1),
    "cut off": real.slice(0, real.length / 2),
    "a character more": `${real}x`,
    "other case": real === real.toUpperCase() ? real.toLowerCase() : real.toUpperCase(),
    made: "A".repeat(43),
    unsigned: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm5hIn0.",
    escaped: "%00%0d%0aSet-Cookie:x=y",
    SQL: "' OR 1=1 --",
    long: "a".repeat(7000),
    longest: "a".repeat(40_000),
  };
}

async function tampered(anna: Visitor): Promise<Seen> {
  const findings: string[] = [];
  let count = 0;
  for (const name of NAMES)
    for (const [how, value] of Object.entries(forged(anna.cookies.get(name) ?? "A".repeat(43))))
      for (const path of PATHS) {
        const visitor = anna.twin();
        visitor.cookies.set(name, value);
        const { status, body, lines } = await visitor.get(path);
        count += 1;
        if (name === SESSION && body.includes(ANNA.policyNo)) findings.push(`${name}, ${how}, opens ${path}`);
        if (lines("Set-Cookie").some((line) => line.startsWith("x=")))
          findings.push(`${name}, ${how}: a header was injected at ${path}`);
        if (status >= 500) findings.push(`${name}, ${how}: ${path} answers ${status}`);
      }
  return { findings, notes: [`${count} requests with ${NAMES.length} forged cookies`] };
}

async function swapped(topology: Topology, anna: Visitor): Promise<Seen> {
  const findings: string[] = [];
  const piotr = new Visitor(topology);
  await piotr.accept();
  piotr.cookies.set("__Host-trusted-device", anna.cookies.get("__Host-trusted-device") ?? "");
  const signedIn = (await piotr.login(PIOTR)).header("Location");
  if (signedIn !== "/home/mfa")
    findings.push(`another customer's trusted device opens ${signedIn ?? "nothing"}`);
  for (const name of ["set-password", "reset-password-submit", "remind-login-submit"] as const) {
    const step = CODE_STEPS[name];
    const { visitor } = await step.arrive(topology, customer());
    const thief = new Visitor(topology);
    await thief.accept();
    thief.cookies.set("__Host-flow", visitor.cookies.get("__Host-flow") ?? "");
    const { status, header } = await thief.get(step.path);
    if (status !== 302 || header("Location") !== step.first)
      findings.push(`a copied flow opens ${step.path} in another browser: ${status}`);
  }
  const pending = new Visitor(topology);
  await pending.begin(PIOTR);
  const code = await topology.lastCode(PIOTR.phone);
  const other = new Visitor(topology);
  await other.begin(PIOTR);
  // One browser's code is tried in the other, which has its own, unless both are equal by chance.
  if ((await topology.lastCode(PIOTR.phone)) !== code) {
    const location = (await other.confirm(code)).header("Location");
    if (location === "/cp") findings.push("a code opens another browser's session");
  }
  return { findings, notes: [] };
}

async function misnamed(anna: Visitor): Promise<Seen> {
  const findings: string[] = [];
  for (const name of [SESSION, "accepted-cookies"])
    for (const lookalike of lookalikes(name, BLANKS_IN_HEADERS)) {
      const other = anna.twin();
      other.cookies.delete(name);
      other.cookies.set(lookalike, anna.cookies.get(name) ?? "");
      const { status } = await other.get("/cp");
      // nginx refuses some of these bytes itself.
      if (status !== 302 && status !== 400)
        findings.push(`${JSON.stringify(lookalike)} counts as ${name}: ${status}`);
    }
  return { findings, notes: [`${BLANKS_IN_HEADERS.length} blank characters, each in four places`] };
}

/** An attacker plants the id of a session, and waits for the customer to sign in with it. */
async function fixation(topology: Topology): Promise<Seen> {
  const findings: string[] = [];
  const attacker = new Visitor(topology);
  await attacker.begin(PIOTR);
  for (const planted of [attacker.cookies.get(SESSION) ?? "", "A".repeat(43)]) {
    const victim = new Visitor(topology);
    await victim.accept();
    victim.cookies.set(SESSION, planted);
    // A planted pending session leads to its code; a customer who signs out of it and in again gets one of their own.
    await victim.get("/home");
    await victim.login(ANNA);
    const between = victim.cookies.get(SESSION);
    const signedIn = new Visitor(topology);
    await signedIn.accept();
    signedIn.cookies.set(SESSION, planted);
    await signedIn.call("DELETE", "/home/api/session");
    await signedIn.signIn(ANNA);
    const own = signedIn.cookies.get(SESSION);
    if (own === planted) findings.push("a planted session is the customer's after the sign-in");
    if (between === planted && planted.startsWith("AAA")) findings.push("a made-up session was taken");
    const thief = new Visitor(topology);
    await thief.accept();
    thief.cookies.set(SESSION, planted);
    const { body } = await thief.get("/cp");
    if (body.includes(ANNA.policyNo)) findings.push("the planted session shows the customer's policies");
  }
  return { findings, notes: [] };
}

/** Goes through every kind of step that sets a cookie, and checks the attributes. */
async function attributes(topology: Topology): Promise<Seen> {
  const visitor = new WatchedVisitor(topology);
  await visitor.accept();
  await visitor.get("/language/en");
  await visitor.get("/language/pl");
  await visitor.post("/home/remind-login-init", { policyNo: ANNA.policyNo });
  await visitor.post("/home/remind-login-submit", { intent: "back" });
  const { phone } = PIOTR;
  await visitor.login(PIOTR);
  await visitor.confirm(await topology.lastCode(phone), true);
  await visitor.post("/home/change-password", { intent: "send-code" });
  await visitor.post("/cp/profile", { intent: "revoke-all" });
  await visitor.get("/cp/profile");
  await visitor.post("/home/logout");
  const seen = new Set(visitor.setCookies.map((line) => line.slice(0, line.indexOf("="))));
  const missing = [SESSION, "__Host-browser", "__Host-trusted-device", "accepted-cookies"].filter(
    (name) => !seen.has(name),
  );
  return {
    findings: cookieFindings(visitor.setCookies),
    notes: [`${visitor.setCookies.length} Set-Cookie lines: ${[...seen].join(", ")}`],
    ...(missing.length > 0 && { notReached: `${missing.join(", ")} was never set` }),
  };
}
