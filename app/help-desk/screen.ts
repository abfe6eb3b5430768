import type { ReactElement } from "react";
import type { RequestContext } from "~/server/front-door/context.server";
import type { Translate } from "~/i18n/texts.server";
import type { StaffMember, SupportDependencies } from "~/backend/types";
import type { Environment } from "~/platform/config/environment.server";
import type { Log } from "~/platform/telemetry/log.server";
import type { CookieKeys } from "./cookies.server";
import type { Done } from "./done";

/** A signed-on member of the insurer's staff, from the sealed session cookie. */
export interface Staff extends StaffMember {
  /** Whether they may act on accounts. All others may only look. */
  readonly mayAct: boolean;
  /** When they last proved to the issuer who they are (ms since 1970); 0 if it doesn't say. */
  readonly signedOnAt: number;
}

/** The customer whom a member of staff has chosen, and why, from its sealed cookie. */
export interface Chosen {
  readonly customerId: string;
  readonly reason: string;
  /** The outcome of the last act; shown once. */
  readonly done?: Done | undefined;
}

/** The parts of the process that screens use: the dependencies of staff's acts, and its settings. */
export interface HelpDesk extends SupportDependencies {
  readonly settings: Environment;
  readonly log: Log;
  readonly keys: CookieKeys;
}

/** A request of a signed-on member of staff. */
export interface StaffVisit {
  readonly request: Request;
  readonly url: URL;
  readonly incoming: RequestContext;
  readonly t: Translate;
  readonly staff: Staff;
  readonly desk: HelpDesk;
  readonly chosen: Chosen | undefined;
  /** Set once after a sign-on interrupted a form, with the form's reason. */
  readonly interrupted?: { readonly reason?: string | undefined } | undefined;
}

/** A screen's page. The frame around it is added. */
export interface StaffPage {
  /** Default: 200. */
  readonly status?: number;
  /** Says nothing of a customer: it stays in the browser's history. */
  readonly title: string;
  readonly body: ReactElement;
  readonly headers?: HeadersInit;
}

/** The values of a path's parameters, like `act` in `/help-desk/act/:act`. */
export type PathParameters = Readonly<Record<string, string>>;

/** A screen for staff. */
export interface StaffScreen {
  /** Like `/help-desk/act/:act`. */
  readonly path: string;
  /** `look`: every member of staff; `act`: only those who may act. */
  readonly role: "look" | "act";
  readonly get: (visit: StaffVisit, params: PathParameters) => Promise<StaffPage | Response>;
  /** The part of a form that may be kept over a sign-on: a reason, and no customer's data. */
  readonly reasonIn?: (form: URLSearchParams) => string | undefined;
  /** Without it, a POST is a 405. */
  readonly post?: (
    visit: StaffVisit,
    form: URLSearchParams,
    params: PathParameters,
  ) => Promise<StaffPage | Response>;
}
