import { freshCustomer, type DemoCustomer, type RegisteredCustomer } from "./demo-customers";
import { Visitor, type VisitedPortal } from "./visitor";

/** The password for registrations in tests, unless a test says otherwise. */
export const FIRST_PASSWORD = "Pierwsze-Haslo-1";
/** A password that no account has had. */
export const NEXT_PASSWORD = "Nastepne-Haslo-2";

/** A new account, and the browser that registered it: signed in, device not trusted. */
export interface NewAccount {
  readonly account: RegisteredCustomer;
  readonly visitor: Visitor;
}

/** Returns a function that gives a different unregistered demo customer at each call; a portal has ninety. */
export function customersOf(): () => DemoCustomer {
  let last = 0;
  return () => freshCustomer((last += 1));
}

/** The policy numbers that have been registered, by portal. */
const registered = new WeakMap<VisitedPortal, Set<string>>();

/**
 * Registers a customer through the portal's screens.
 * @throws Error if this customer has registered at this portal before: each test takes its own from `customersOf`
 */
export async function register(
  portal: VisitedPortal,
  customer: DemoCustomer,
  password = FIRST_PASSWORD,
): Promise<NewAccount> {
  const known = registered.get(portal) ?? new Set();
  registered.set(portal, known);
  if (known.has(customer.policyNo)) throw new Error(`two tests of one portal use ${customer.policyNo}`);
  known.add(customer.policyNo);
  const visitor = new Visitor(portal);
  await visitor.accept();
  await visitor.post("/home/register", { policyNo: customer.policyNo, pid: customer.pid });
  const answer = await visitor.post("/home/set-password", {
    authorizationCode: await portal.lastCode(customer.phone),
    newPassword: password,
    newPasswordRepeat: password,
  });
  if (answer.header("Location") !== "/home/confirm-login")
    throw new Error(`${customer.name} could not register: ${answer.status} ${answer.body.slice(0, 300)}`);
  // Read from the screen, since a portal with an attached backend has no API.
  const username = /\bklient\d{8}\b/.exec((await visitor.get("/home/confirm-login")).body)?.[0];
  if (username === undefined) throw new Error(`${customer.name} was shown no username`);
  return { account: { ...customer, username, password }, visitor };
}
