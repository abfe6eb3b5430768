import type { Compilable, CompiledQuery } from "kysely";
import { connectionOf } from "./running-work.server";
import { isPostgres } from "./dialect.server";
import type { Reader } from "./store.server";

/** A statement with a fixed text; each run brings its own values. */
interface Statement<Values, Row> {
  /** Runs it and returns its rows. */
  rows(db: Reader, values: Values): Promise<Row[]>;
  /** Runs it and returns the first row; undefined if there is none. */
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
 * Builds a statement once for each dialect, when it first runs. Kysely takes three times as long to build and compile a
 * query as to run it, so every query of a sign-in or a page is made with this, at the top of its module.
 * @param build gets blanks instead of values: use them only as parameters, and let nothing else depend on them
 */
export function statement<Values extends object, Row>(
  build: (db: Reader, values: Values) => Compilable<Row>,
): Statement<Values, Row> {
  const plans = new Map<boolean, CompiledQuery<Row>>();
  const planFor = (db: Reader) => {
    const dialect = isPostgres(db);
    const known = plans.get(dialect);
    if (known) return known;
    // `build` may use values only as parameters, which the types can't express.
    const plan = build(db, blanks() as Values).compile();
    plans.set(dialect, plan);
    return plan;
  };
  const run = (db: Reader, values: Values) => {
    const plan = planFor(db);
    const parameters = plan.parameters.map((parameter) => valueOf(parameter, values));
    return (connectionOf(db) ?? db).executeQuery<Row>({ ...plan, parameters });
  };
  return {
    rows: async (db, values) => (await run(db, values)).rows,
    first: async (db, values) => (await run(db, values)).rows[0],
  };
}

function blanks(): object {
  return new Proxy({}, { get: (_none, name) => new Blank(String(name)) });
}

function valueOf(parameter: unknown, values: object): unknown {
  return parameter instanceof Blank ? (values as Record<string, unknown>)[parameter.name] : parameter;
}
