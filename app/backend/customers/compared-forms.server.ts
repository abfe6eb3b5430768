import { sql, type RawBuilder } from "kysely";
import type { Reader } from "../store/store.server";
import { OTHER_FORM } from "./customers.server";

/** The rows that are found by their exact spelling alone, because others differ from them only in spaces and hyphens. */
export interface ExactOnly {
  readonly equal: { readonly policyholders: number; readonly policies: number };
}

/** Counts the rows found by their exact spelling alone. Reads a whole index of the policies. */
export async function countExactOnly(reader: Reader): Promise<ExactOnly> {
  return {
    equal: {
      // Of two equal identifiers, at least one isn't spelled in its compared form.
      policyholders: await sumOfGroups(
        reader,
        sql`from (
          select kind, pid_compared_index as form from customers where ${OTHER_FORM}
          union all
          select kind, pid_index as form from customers
          where pid_compared_index = pid_index
            and pid_index in (select pid_compared_index from customers where ${OTHER_FORM})
        ) as forms group by kind, form`,
      ),
      policies: await sumOfGroups(reader, sql`from policies group by policy_no_compared`),
    },
  };
}

/** How many rows stand in groups of several. */
async function sumOfGroups(reader: Reader, groups: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ rows: number | string | null }>`
    select sum(size) as rows from (select count(*) as size ${groups} having count(*) > 1) as equal_rows
  `.execute(reader);
  return Number(rows[0]?.rows ?? 0);
}
