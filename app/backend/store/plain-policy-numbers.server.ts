import { sql, type RawBuilder } from "kysely";
import type { OnDatabase } from "./store.server";

/** The compared form of a plain policy number, as `readPolicyNo` makes it. */
export const comparedIfPlain: RawBuilder<string> = sql`upper(replace(replace(policy_no, ' ', ''), '-', ''))`;

/** Whether a policy number is plain: printable ASCII, as nearly all are. SQL can't read others. */
export function isPlain({ isPostgres }: OnDatabase): RawBuilder<boolean> {
  return isPostgres ? sql`policy_no ~ '^[ -~]*$'` : sql`policy_no not glob '*[^ -~]*'`;
}
