import { ALL_CODE_STEPS, CODE_STEPS, start, type CodeStep } from "../../tests/account-steps";
import { ANNA, PIOTR, type DemoCustomer } from "../../tests/demo-customers";
import { register } from "../../tests/new-account";
import type { Topology } from "../../tests/topology/topology";
import { Visitor } from "../../tests/visitor";

/** A browser at the form, and its customer. */
interface Opened {
  readonly visitor: Visitor;
  readonly username: string;
}

/** A form or a call, and how to get there. */
export interface SqlmapTarget {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The address. sqlmap injects at a `*`; `{username}` is the customer's. */
  readonly path: string;
  /** Its path in nginx's log. */
  readonly logged: RegExp;
  /** A form's body, or a call's payload. */
  readonly body?: string | object;
  /** The parameters to inject into; none if the address has a `*`. */
  readonly fields: readonly string[];
  /** The answer to `body`, before the attack and after it: a status, and an address if it leads elsewhere. */
  readonly answer: string;
  /** Another status that counts as an answer of the target during the attack. */
  readonly alsoStatus?: number;
  /** Takes a new browser to the target, for a customer who has no account yet. */
  readonly open: (topology: Topology, customer: DemoCustomer) => Promise<Opened>;
}

const WRONG_CODE = "000000";
const WRONG_PASSWORD = "Zle-Haslo-2026!";

async function signedOut(topology: Topology): Promise<Opened> {
  const visitor = new Visitor(topology);
  await visitor.accept();
  return { visitor, username: ANNA.username };
}

async function pending(topology: Topology, customer: DemoCustomer): Promise<Opened> {
  const { account } = await register(topology, customer);
  const visitor = new Visitor(topology);
  await visitor.begin(account);
  return { visitor, username: account.username };
}

async function signedIn(topology: Topology, customer: DemoCustomer): Promise<Opened> {
  const { account, visitor } = await register(topology, customer);
  return { visitor, username: account.username };
}

async function reminded(topology: Topology, customer: DemoCustomer): Promise<Opened> {
  const { visitor, phone } = await CODE_STEPS["remind-login-submit"].arrive(topology, customer);
  await start(visitor, "/home/remind-login-submit", {
    intent: "confirm",
    authorizationCode: await topology.lastCode(phone),
  });
  return { visitor, username: PIOTR.username };
}

function exactly(path: string): RegExp {
  return new RegExp(`^${path.replace(/\?.*/, "").replaceAll(/[.*]/g, "\\$&")}$`);
}

function form(
  path: string,
  fields: Readonly<Record<string, string>>,
  answer: string,
  open: SqlmapTarget["open"],
): SqlmapTarget {
  const typed = Object.keys(fields).filter((name) => name !== "intent" || Object.keys(fields).length === 1);
  const body = new URLSearchParams(fields).toString();
  return { method: "POST", path, logged: exactly(path), body, fields: typed, answer, open };
}

function codeForm(step: CodeStep): SqlmapTarget {
  const fields = { intent: "confirm", authorizationCode: WRONG_CODE, ...step.fields() };
  return form(step.path, fields, "400", async (topology, customer) => {
    const { visitor } = await step.arrive(topology, customer);
    return { visitor, username: "" };
  });
}

function call(
  method: SqlmapTarget["method"],
  path: string,
  payload: Readonly<Record<string, string>>,
  answer: string,
  open: SqlmapTarget["open"],
): SqlmapTarget {
  // nginx writes no usernames.
  const logged = exactly(path.replace(/\{username\}\*?/, "*"));
  const fields = path.includes("*") ? [] : Object.keys(payload);
  const target = { method, path, logged, body: payload, fields, answer, open };
  // A code that isn't six digits is refused by the call's own rules.
  return path.endsWith("/confirm") ? { ...target, alsoStatus: 422 } : target;
}

const FORMS: readonly SqlmapTarget[] = [
  form("/home?index", { username: ANNA.username, password: WRONG_PASSWORD }, "400", signedOut),
  form(
    "/home/register",
    { policyNo: ANNA.policyNo, pid: "TEST00000" },
    "303 → /home/set-password",
    signedOut,
  ),
  form(
    "/home/reset-password-init",
    { username: ANNA.username },
    "303 → /home/reset-password-submit",
    signedOut,
  ),
  form("/home/remind-login-init", { policyNo: ANNA.policyNo }, "303 → /home/remind-login-submit", signedOut),
  ...ALL_CODE_STEPS.map(([, step]) => codeForm(step)),
  form("/home/remind-login-final", { username: PIOTR.username, password: WRONG_PASSWORD }, "400", reminded),
  form("/home/mfa", { intent: "confirm", authorizationCode: WRONG_CODE, trustDevice: "Y" }, "400", pending),
  form("/home/confirm-login", { intent: "change" }, "303 → /home/change-login", signedIn),
  form("/cp/profile", { intent: "revoke", device: "1" }, "303 → /cp/profile", signedIn),
];

const PAGES: readonly SqlmapTarget[] = [
  {
    method: "GET",
    // Without a parameter sqlmap would try the address itself.
    path: "/cp?x=1",
    logged: /^\/cp$/,
    fields: ["__Host-session", "__Host-browser", "accepted-cookies", "user-agent", "referer"],
    answer: "200",
    // A session that is looked up and not found.
    alsoStatus: 302,
    open: signedIn,
  },
  {
    method: "GET",
    path: "/cp/profile?document-password-save-result=create",
    logged: /^\/cp\/profile$/,
    fields: ["document-password-save-result"],
    answer: "200",
    open: signedIn,
  },
  {
    method: "GET",
    path: "/language/en*",
    logged: /^\/language\//,
    fields: [],
    answer: "303 → /home",
    open: signedOut,
  },
];

const CONFIRM = { authorizationCode: WRONG_CODE };
const NEW_PASSWORD = "Calkiem-Nowe-Haslo-7";
const USER = "/home/api/user";

const CALLS: readonly SqlmapTarget[] = [
  call(
    "POST",
    "/home/api/auth/login",
    { username: PIOTR.username, password: WRONG_PASSWORD },
    "400",
    signedOut,
  ),
  call("POST", `${USER}/register/init`, { policyNo: PIOTR.policyNo, pid: "TEST00000" }, "200", signedOut),
  call(
    "POST",
    `${USER}/register/confirm`,
    { ...CONFIRM, policyNo: PIOTR.policyNo, pid: "TEST00000", password: NEW_PASSWORD },
    "400",
    signedOut,
  ),
  call("POST", `${USER}/{username}*/password-reset/init`, {}, "200", signedOut),
  call(
    "POST",
    `${USER}/{username}/password-reset/confirm`,
    { ...CONFIRM, newPassword: NEW_PASSWORD },
    "400",
    signedOut,
  ),
  call("POST", `${USER}/login-remind/init`, { policyNo: PIOTR.policyNo }, "200", signedOut),
  call("POST", `${USER}/login-remind/confirm`, { ...CONFIRM, policyNo: PIOTR.policyNo }, "400", signedOut),
  call(
    "POST",
    `${USER}/activate-session/confirm`,
    { ...CONFIRM, deviceName: "Przegladarka", trustDevice: "N" },
    "400",
    pending,
  ),
  call(
    "POST",
    `${USER}/{username}/login-change/confirm`,
    { ...CONFIRM, newUsername: "nowa.nazwa" },
    "400",
    signedIn,
  ),
  call(
    "PUT",
    "/cp/api/doc-pwd/create/confirm",
    { authToken: WRONG_CODE, password: "Dokumenty-2026!" },
    "400",
    signedIn,
  ),
  {
    ...call("DELETE", "/cp/api/trusted-devices/1*", {}, "204", signedIn),
    logged: /^\/cp\/api\/trusted-devices\//,
  },
];

/**
 * Every form of docs/screens.md with a field or a choice, every page that reads its address, and the calls of the API.
 */
export const SQLMAP_TARGETS: readonly SqlmapTarget[] = [...FORMS, ...PAGES, ...CALLS];
