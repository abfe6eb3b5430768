import { redirect } from "@remix-run/node";
import { MINUTE, SECOND } from "~/platform/time.server";
import { type Content, contentOf, cookieLine, sealedLine } from "./cookies.server";
import type { Chosen, HelpDesk, Staff, StaffVisit } from "./screen";

/** A session, as its cookie holds it. */
export type StaffSession = Content<"session">;

/** Where staff sign on; `back` is the page that they return to, `fresh` asks for a new proof. */
export const SIGN_ON = "/help-desk/sign-on";

/** The session of a request; undefined without one, or if it is over. */
export function sessionOf(request: Request, { keys }: HelpDesk): Promise<StaffSession | undefined> {
  return contentOf(request, keys, "session");
}

/** A `Set-Cookie` line: the session goes on for its idle time, but never longer than a session may last. */
export function sessionLine(desk: HelpDesk, session: StaffSession): Promise<string> {
  const { HELP_DESK_SESSION_MINUTES, HELP_DESK_IDLE_MINUTES } = desk.settings;
  const end = session.begunAt + HELP_DESK_SESSION_MINUTES * MINUTE;
  const idleEnd = desk.clock() + HELP_DESK_IDLE_MINUTES * MINUTE;
  return sealedLine(desk.keys, "session", session, Math.min(end, idleEnd));
}

/** How long the reason in an interrupted form is kept. */
const INTERRUPTED_MS = 10 * MINUTE;

/**
 * A `Set-Cookie` line that marks a form as interrupted, so that the next page says so. It keeps the typed reason for the
 * session's person, even if the session has expired, and no other field.
 */
export async function interruptedLine(
  request: Request,
  { keys, clock }: HelpDesk,
  reason: string | undefined,
): Promise<string> {
  // Opens a session that is over, too.
  const session = await contentOf(request, { ...keys, clock: () => 0 }, "session");
  const kept = session && reason !== undefined ? { reason } : {};
  return sealedLine(keys, "interrupted", kept, clock() + INTERRUPTED_MS, session?.staff.sub);
}

/** The form of this person that `interruptedLine` has marked, or one that was posted without a session. */
export async function interruptedOf(
  request: Request,
  { keys }: HelpDesk,
  { sub }: Staff,
): Promise<Content<"interrupted"> | undefined> {
  return (
    (await contentOf(request, keys, "interrupted", sub)) ?? (await contentOf(request, keys, "interrupted"))
  );
}

/**
 * A `Set-Cookie` line that chooses a customer for the next pages, with the reason; undefined clears the choice. Only the
 * same person's session opens it.
 */
export function choose(
  { desk, staff }: Pick<StaffVisit, "desk" | "staff">,
  chosen: Chosen | undefined,
): Promise<string> {
  const until = desk.clock() + desk.settings.HELP_DESK_SESSION_MINUTES * MINUTE;
  return chosen === undefined
    ? Promise.resolve(cookieLine(desk.keys, "chosen", ""))
    : sealedLine(desk.keys, "chosen", chosen, until, staff.sub);
}

/** The issuer's clock may differ from ours by this much, as for the library that reads its answer. */
export const CLOCKS_DIFFER_MS = 30 * SECOND;

/**
 * Asks staff to sign on again before a grave act, unless they have just done so.
 * @returns undefined if the last one is fresh enough, else a redirect to the sign-on, which comes back to this page
 */
export function requireFresh({ desk, staff, url }: StaffVisit): Response | undefined {
  const freshMs = desk.settings.HELP_DESK_FRESH_MINUTES * MINUTE + CLOCKS_DIFFER_MS;
  return desk.clock() - staff.signedOnAt <= freshMs ? undefined : toSignOn(url.pathname, true);
}

/** A redirect to the sign-on. @param back the page to return to */
export function toSignOn(back: string, isFresh = false): Response {
  const query = new URLSearchParams({ back, ...(isFresh && { fresh: "1" }) });
  return redirect(`${SIGN_ON}?${query}`, 303);
}
