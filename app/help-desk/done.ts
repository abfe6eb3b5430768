import { z } from "zod";
import { ACT_NAMES, COUNTED_THINGS } from "~/backend/support/acts.server";

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
