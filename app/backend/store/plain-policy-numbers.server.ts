import { type RawBuilder, sql } from "kysely";
import { readPolicyNo } from "~/contract/rules";
import type { OnDatabase, Reader } from "./store.server";

/** The compared form of a plain policy number, as `readPolicyNo` makes it. */
export const comparedIfPlain: RawBuilder<string> = sql`upper(replace(replace(policy_no, ' ', ''), '-', ''))`;

/** Whether a policy number is plain: printable ASCII, as nearly all are. SQL can't read others. */
export function isPlain({ isPostgres }: OnDatabase): RawBuilder<boolean> {
  return isPostgres ? sql`policy_no ~ '^[ -~]*$'` : sql`policy_no not glob '*[^ -~]*'`;
}

/**
 * The stored policy numbers that differ only in spaces and hyphens, in groups: each is found by its exact spelling
 * alone. Works before the migration, too, so that an operator learns of them first.
 */
export async function equalPolicyNos(db: Reader): Promise<readonly (readonly string[])[]> {
  const plain = sql`policies where ${isPlain(db)}`;
  const twice = sql`select ${comparedIfPlain} from ${plain} group by 1 having count(*) > 1`;
  const equal = await numbers(db, sql`${plain} and ${comparedIfPlain} in (${twice})`);
  // SQL can't read these few.
  const others = await numbers(db, sql`policies where not (${isPlain(db)})`);
  const forms = JSON.stringify(others.map((number) => readPolicyNo(number).compared));
  const listed = db.isPostgres ? sql`json_array_elements_text(${forms})` : sql`json_each(${forms})`;
  const likeOthers = await numbers(
    db,
    sql`${plain} and ${comparedIfPlain} in (select listed.value from ${listed} as listed)`,
  );
  const groups = new Map<string, string[]>();
  for (const number of new Set([...equal, ...others, ...likeOthers])) {
    const { compared } = readPolicyNo(number);
    groups.set(compared, [...(groups.get(compared) ?? []), number].toSorted());
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

async function numbers(db: Reader, from: RawBuilder<unknown>): Promise<string[]> {
  const query = sql<{ policy_no: string }>`select policy_no from ${from} order by policy_no`;
  return (await query.execute(db)).rows.map(({ policy_no }) => policy_no);
}
