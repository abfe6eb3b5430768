import { z } from "zod";
import { ACT_NAMES, COUNTED_THINGS } from "~/backend/index.server";

/**
 * The outcome of an act's form. `nothing`: the account was so already. `already`: a double submit. `asked`: it waits for
 * a second person.
 */
export const DONE = z.object({
  act: z.enum(ACT_NAMES),
  outcome: z.enum(["done", "nothing", "already", "asked"]),
  counts: z.partialRecord(z.enum(COUNTED_THINGS), z.number()),
});
export type Done = z.output<typeof DONE>;

/** The outcome of a decision. `over`: another person has decided, or the request has expired. `changed`: so has the customer. */
export const DECISIONS = ["approved", "declined", "withdrawn", "over", "changed", "ownRequest"] as const;
export type Decision = (typeof DECISIONS)[number];
