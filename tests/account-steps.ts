import type { HttpAnswer } from "./http-request";
import { NEXT_PASSWORD, register } from "./new-account";
import type { DemoCustomer, RegisteredCustomer } from "./demo-customers";
import type { PublicPortal } from "./portal";
import { Visitor } from "./visitor";

/** A browser on a screen that asks for a code; the code is on its way. */
export interface Arrival {
  readonly visitor: Visitor;
  readonly phone: string;
}

/** A code step, and how to reach it. */
export interface CodeStep {
  readonly path: string;
  /** Brings a new browser there, for a customer who has not registered yet. */
  readonly arrive: (portal: PublicPortal, customer: DemoCustomer) => Promise<Arrival>;
  /** The form's other fields, besides the code; `nth` makes the values of each try different. */
  readonly fields: (nth?: number) => Readonly<Record<string, string>>;
  /** Where a correct form leads. */
  readonly next: string;
  /** Where "Wstecz" leads. */
  readonly back: string;
  /** For signed-out visitors: where the journey begins. */
  readonly first?: string;
}

const passwords = (nth = 0) => twice("newPassword", "newPasswordRepeat", `${NEXT_PASSWORD}${nth}`);
const documentPasswords = (nth = 0) => twice("password", "passwordRepeat", `Dokumenty-${nth}-2026!`);

function twice(one: string, other: string, value: string): Readonly<Record<string, string>> {
  return { [one]: value, [other]: value };
}

/** Takes a browser through a start step. @throws Error if the portal refuses it */
export async function start(
  visitor: Visitor,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  const answer = await visitor.post(path, fields);
  if (answer.status !== 303) throw new Error(`${path}: ${answer.status} ${answer.body.slice(0, 300)}`);
  return answer;
}

async function signedOut(portal: PublicPortal, customer: DemoCustomer) {
  const { account } = await register(portal, customer);
  const visitor = new Visitor(portal);
  await visitor.accept();
  return { visitor, account };
}

/** Every change begins with a button on the profile, which posts to its screen. */
function fromProfile(
  path: string,
  before?: (portal: PublicPortal, visitor: Visitor, who: RegisteredCustomer) => Promise<void>,
) {
  return async (portal: PublicPortal, customer: DemoCustomer): Promise<Arrival> => {
    const { visitor, account } = await register(portal, customer);
    await before?.(portal, visitor, account);
    await start(visitor, path, { intent: "send-code" });
    return { visitor, phone: customer.phone };
  };
}

async function createDocumentPassword(
  portal: PublicPortal,
  visitor: Visitor,
  { phone }: DemoCustomer,
): Promise<void> {
  await start(visitor, "/home/create-document-password", { intent: "send-code" });
  const authorizationCode = await portal.lastCode(phone);
  await start(visitor, "/home/create-document-password", { authorizationCode, ...documentPasswords(9) });
}

/** Every code step, by name. */
export const CODE_STEPS = {
  "set-password": {
    path: "/home/set-password",
    arrive: async (portal, { policyNo, pid, phone }) => {
      const visitor = new Visitor(portal);
      await visitor.accept();
      await start(visitor, "/home/register", { policyNo, pid });
      return { visitor, phone };
    },
    fields: passwords,
    next: "/home/confirm-login",
    back: "/home/register",
    first: "/home/register",
  },
  "reset-password-submit": {
    path: "/home/reset-password-submit",
    arrive: async (portal, customer) => {
      const { visitor, account } = await signedOut(portal, customer);
      await start(visitor, "/home/reset-password-init", { username: account.username });
      return { visitor, phone: customer.phone };
    },
    fields: passwords,
    next: "/cp",
    back: "/home/reset-password-init",
    first: "/home/reset-password-init",
  },
  "remind-login-submit": {
    path: "/home/remind-login-submit",
    arrive: async (portal, customer) => {
      const { visitor } = await signedOut(portal, customer);
      await start(visitor, "/home/remind-login-init", { policyNo: customer.policyNo });
      return { visitor, phone: customer.phone };
    },
    fields: () => ({}),
    next: "/home/remind-login-final",
    back: "/home/remind-login-init",
    first: "/home/remind-login-init",
  },
  "change-password": {
    path: "/home/change-password",
    arrive: fromProfile("/home/change-password"),
    fields: passwords,
    next: "/cp/profile",
    back: "/cp/profile",
  },
  "change-login": {
    path: "/home/change-login",
    arrive: fromProfile("/home/change-login"),
    fields: (nth = 0) => twice("newUsername", "newUsernameRepeat", `nowa.nazwa.${nth}.${Date.now()}`),
    next: "/cp/profile",
    back: "/cp/profile",
  },
  "create-document-password": {
    path: "/home/create-document-password",
    arrive: fromProfile("/home/create-document-password"),
    fields: documentPasswords,
    next: "/cp/profile?document-password-save-result=create",
    back: "/cp/profile",
  },
  "change-document-password": {
    path: "/home/change-document-password",
    arrive: fromProfile("/home/change-document-password", createDocumentPassword),
    fields: documentPasswords,
    next: "/cp/profile?document-password-save-result=change",
    back: "/cp/profile",
  },
} as const satisfies Record<string, CodeStep>;

/** The name of a code step. */
export type CodeStepName = keyof typeof CODE_STEPS;
/** All code steps, for `test.each`. */
export const ALL_CODE_STEPS: readonly (readonly [CodeStepName, CodeStep])[] = Object.entries(CODE_STEPS) as [
  CodeStepName,
  CodeStep,
][];
