import { setTimeout as wait } from "node:timers/promises";
import { Visitor } from "./visitor.mjs";

/** @typedef {import("./portal.mjs").Portal} Portal */

const PASSWORD = "Demo-Haslo-2026";
/** Demo customers: the first of each pair warms up the portal, the second is measured. */
const SIGNING_IN = [
  { username: "piotr.wisniewski", phone: "+48500100002" },
  { username: "anna.nowak", phone: "+48500100001" },
];
const REGISTERING = [
  { policyNo: "POL-300001", pid: "TEST00001" },
  { policyNo: "POL-200001", pid: "72090811112" },
];
/** Long enough for work that a request starts but doesn't wait for: the message on its way to the outbox. */
const SETTLE_MS = 300;
const POLL_MS = 50;
const CODE_MS = 10_000;

/**
 * Makes the three requests, each after the steps that lead to it, and each twice: the first time doesn't count, so that
 * one-time work of the process isn't counted as the request's.
 * @param {Portal} portal freshly started
 * @returns {Promise<Map<string, import("./portal.mjs").RanFunction[]>>} the functions that ran, by request
 */
export async function makeRequests(portal) {
  let ran;
  for (const at of SIGNING_IN.keys()) {
    const visitor = new Visitor(portal);
    await signIn(visitor, SIGNING_IN[at]);
    const code = await lastCode(portal, SIGNING_IN[at].phone);
    const confirmation = { authorizationCode: code, trustDevice: "Y", intent: "confirm" };
    const other = new Visitor(portal);
    await accept(other);
    await other.get("/home/register");

    ran = new Map([
      ["POST /home/mfa", await alone(portal, () => visitor.post("/home/mfa", confirmation, "/cp"))],
      ["GET /cp", await alone(portal, () => visitor.get("/cp"))],
      [
        "POST /home/register",
        await alone(portal, () => other.post("/home/register", REGISTERING[at], "/home/set-password")),
      ],
    ]);
  }
  return ran;
}

/** The functions that run during a request, and because of it. */
async function alone(portal, send) {
  await wait(SETTLE_MS);
  await portal.takeCounts();
  await send();
  await wait(SETTLE_MS);
  return portal.takeCounts();
}

async function accept(visitor) {
  await visitor.get("/home/cookies");
  await visitor.post("/home/cookies", {}, "/home");
  await visitor.get("/home");
}

/** Up to the screen that asks for the code. */
async function signIn(visitor, { username }) {
  await accept(visitor);
  await visitor.post("/home?index", { username, password: PASSWORD }, "/home/mfa");
  await visitor.get("/home/mfa");
}

async function lastCode(portal, phone) {
  const end = Date.now() + CODE_MS;
  while (Date.now() < end) {
    const { body } = await portal.ask("GET", "/demo/sms.json");
    const message = JSON.parse(body).find(({ to }) => to === phone);
    const [code] = /\d{6}/.exec(message?.text ?? "") ?? [];
    if (code !== undefined) return code;
    await wait(POLL_MS);
  }
  throw new Error(`No code was sent to ${phone}`);
}
