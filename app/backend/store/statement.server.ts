import type { Compilable, CompiledQuery } from "kysely";
import { isPostgres } from "./dialect.server";
import type { Reader } from "./store.server";

/** A statement whose text is always the same, and whose values come with each run. */
interface Statement<Values, Row> {
  /** The rows that it answers with. */
  rows(db: Reader, values: Values): Promise<Row[]>;
  /** The first of its rows; undefined if it has none. */
  first(db: Reader, values: Values): Promise<Row | undefined>;
}

/** Stands for a value while the statement is built. */
class Blank {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`a statement computes with its value "${this.name}": compute it before the statement`);
  }
}

/**
 * Builds a statement once for each dialect, when it is first run. Kysely spends three times as long on building and
 * compiling one as on running it. So whatever each sign-in or page asks is a statement, at the top of its module.
 * @param build gets blanks in place of values: they may go where a parameter may, and nothing may depend on them
 */
export function statement<Values extends object, Row>(
  build: (db: Reader, values: Values) => Compilable<Row>,
): Statement<Values, Row> {
  const plans = new Map<boolean, CompiledQuery<Row>>();
  const planFor = (db: Reader) => {
    const dialect = isPostgres(db);
    const known = plans.get(dialect);
    if (known) return known;
    // Whoever builds a statement may use each value as a parameter only, which the types can't say.
    const plan = build(db, blanks() as Values).compile();
    plans.set(dialect, plan);
    return plan;
  };
  const rows = async (db: Reader, values: Values) => {
    const plan = planFor(db);
    const parameters = plan.parameters.map((parameter) => valueOf(parameter, values));
    return (await db.executeQuery<Row>({ ...plan, parameters })).rows;
  };
  return { rows, first: async (db, values) => (await rows(db, values))[0] };
}

function blanks(): object {
  return new Proxy({}, { get: (_none, name) => new Blank(String(name)) });
}

function valueOf(parameter: unknown, values: object): unknown {
  return parameter instanceof Blank ? (values as Record<string, unknown>)[parameter.name] : parameter;
}
