import { sql, type Kysely, type RawBuilder } from "kysely";
import { isPostgres } from "./dialect.server";

/** The compared form of a plain policy number, as `readPolicyNo` makes it. */
export const comparedIfPlain: RawBuilder<string> = sql`upper(replace(replace(policy_no, ' ', ''), '-', ''))`;

/** Whether a policy number is plain: printable ASCII, as nearly all are. SQL can't read others. */
export function isPlain(db: Pick<Kysely<unknown>, "getExecutor">): RawBuilder<boolean> {
  return isPostgres(db) ? sql`policy_no ~ '^[ -~]*$'` : sql`policy_no not glob '*[^ -~]*'`;
}
