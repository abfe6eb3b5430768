import { z } from "zod";

/** The acts on a customer's account, in the order of their links. */
export const ACT_NAMES = [
  "unlock",
  "lock-out",
  "end-sessions",
  "forget-devices",
  "reset-factors",
  "reset-caps",
  "use-new-phone",
  "keep-old-phone",
  "disable",
  "enable",
  "expire",
] as const;
export type ActName = (typeof ACT_NAMES)[number];

/** The things that an act can have ended, removed, lifted or left. */
export const COUNTED_THINGS = [
  "timedLocks",
  "factorStops",
  "sessions",
  "codes",
  "signInPasses",
  "trustedDevices",
  "knownBrowsers",
  "factors",
  "recoveryCodes",
  "caps",
  "passkeysLeft",
] as const;
/** How many of each; none of those that are missing. */
export type Counts = Readonly<Partial<Record<(typeof COUNTED_THINGS)[number], number>>>;

/**
 * What became of a press. `nothing`: the account was so already. `already`: the same person has done it with an earlier
 * press. `asked`: it waits for a second person.
 */
export const DONE = z.object({
  act: z.enum(ACT_NAMES),
  outcome: z.enum(["done", "nothing", "already", "asked"]),
  counts: z.partialRecord(z.enum(COUNTED_THINGS), z.number()),
});
export type Done = z.output<typeof DONE>;

/** What became of a decision. `over`: somebody has decided, or the time is over. `changed`: so has the customer. */
export const DECISIONS = ["approved", "declined", "withdrawn", "over", "changed", "ownRequest"] as const;
export type Decision = (typeof DECISIONS)[number];
