import { z } from "zod";
import { ACT_NAMES } from "~/backend/index.server";
import { openPayload, sealPayload } from "~/platform/sealing.server";
import { HOUR } from "~/platform/time.server";
import type { StaffVisit } from "./screen";

/** Encrypted, authenticated hidden fields of forms. Each opens only in the session of the page's viewer. */
const FIELDS = {
  /** A customer in a list, and why they were looked for. */
  hit: z.object({ customerId: z.string(), reason: z.string() }),
  /** The customer of an act's page, and the state that the page showed. */
  seen: z.object({
    customerId: z.string(),
    act: z.enum(ACT_NAMES),
    state: z.string(),
    lastEvent: z.string(),
  }),
} as const;

type SealedField = keyof typeof FIELDS;
/** The content of a sealed field. */
export type FieldContent<Field extends SealedField> = z.output<(typeof FIELDS)[Field]>;

type Visit = Pick<StaffVisit, "desk" | "staff">;

function keyOf({ desk, staff }: Visit, field: SealedField) {
  return { use: `help-desk field ${field}`, secrets: desk.keys.secrets, of: staff.sub };
}

/** Seals a field for this person. A session lasts no longer. */
export function sealField<Field extends SealedField>(
  visit: Visit,
  field: Field,
  content: FieldContent<Field>,
): Promise<string> {
  return sealPayload(keyOf(visit, field), { content }, visit.desk.clock() + HOUR);
}

/** Opens a posted field; undefined if it is missing, forged, too old or another person's. */
export async function openField<Field extends SealedField>(
  visit: Visit,
  field: Field,
  form: URLSearchParams,
): Promise<FieldContent<Field> | undefined> {
  const payload = await openPayload(keyOf(visit, field), form.get(field) ?? "", visit.desk.clock());
  return FIELDS[field].safeParse(payload?.["content"]).data as FieldContent<Field> | undefined;
}
