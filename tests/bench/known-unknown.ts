import { Visitor } from "../visitor";
import { outboxAt } from "../portal";
import { customerNumber, seedCustomers } from "./accounts";
import type { Thoroughness } from "./bench";
import { onPostgres, onSqlite, type Home } from "./home";
import { withoutLimits } from "./looseness";
import { percentile } from "./percentile";
import type { Running } from "./process";
import type { Row } from "./row";

const MOST_MS = 5;
const LOOSE = withoutLimits(
  "ADDRESS_SIGN_INS_PER_10_MINUTES",
  "ADDRESS_CODES_PER_10_MINUTES",
  "ADDRESS_CONFIRMS_PER_10_MINUTES",
  "SMS_OPEN_TOTAL_PER_HOUR",
  "SMS_KNOWN_TOTAL_PER_HOUR",
);

/** A start step, filled in with data of a customer or with data that match nobody. */
interface Start {
  readonly name: string;
  readonly path: string;
  readonly fields: (customer: ReturnType<typeof customerNumber>) => Readonly<Record<string, string>>;
}

const STARTS: readonly Start[] = [
  {
    name: "sign-in, wrong password",
    path: "/home?index",
    fields: ({ username }) => ({ username, password: "Niedobre-Haslo-2026" }),
  },
  { name: "reset", path: "/home/reset-password-init", fields: ({ username }) => ({ username }) },
  { name: "reminder", path: "/home/remind-login-init", fields: ({ policyNo }) => ({ policyNo }) },
  { name: "registration", path: "/home/register", fields: ({ policyNo, pid }) => ({ policyNo, pid }) },
];

/** Whether response times reveal who is a customer (S2): known and unknown data take turns. */
export async function benchKnownUnknown({ quick }: Thoroughness): Promise<readonly Row[]> {
  const pairs = quick ? 60 : 200;
  return [
    ...(await onSqlite(compareAll("", pairs))),
    ...(await onPostgres(compareAll("PostgreSQL: ", pairs))),
  ];
}

function compareAll(prefix: string, pairs: number): (home: Home) => Promise<readonly Row[]> {
  return async (home) => {
    // Each is used once; for registration, customers without an account.
    await seedCustomers(home, { customers: pairs * 2, accounts: pairs });
    const portal = await home.startPortal(LOOSE);
    const rows: Row[] = [];
    for (const start of STARTS) {
      const row = await compare(portal, start, pairs);
      rows.push({ ...row, name: `${prefix}${row.name}` });
    }
    await portal.stop();
    return rows;
  };
}

async function compare(portal: Running, start: Start, pairs: number): Promise<Row> {
  const first = start.name === "registration" ? pairs : 0;
  const known: number[] = [];
  const unknown: number[] = [];
  for (let nth = 0; nth < pairs; nth += 1) {
    const customer = () => customerNumber(first + nth);
    const nobody = () => customerNumber(10_000_000 + first + nth);
    const turns = [
      async () => known.push(await timeOf(portal, start.path, start.fields(customer()))),
      async () => unknown.push(await timeOf(portal, start.path, start.fields(nobody()))),
    ];
    for (const turn of nth % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  return {
    name: `known or unknown: ${start.name}`,
    unit: "ms",
    measured: Math.abs(percentile(known, 50) - percentile(unknown, 50)),
    target: { of: "measured", bound: "at most", value: MOST_MS },
    note: `medians of ${pairs}: known ${percentile(known, 50).toFixed(1)}, unknown ${percentile(unknown, 50).toFixed(1)} ms`,
  };
}

/** How long a new browser waits for the answer to this form, in ms. */
async function timeOf(
  { port }: Running,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<number> {
  const visitor = new Visitor({ port, origin: `http://127.0.0.1:${port}`, ...outboxAt(port) });
  await visitor.accept();
  const began = performance.now();
  const { status } = await visitor.post(path, fields);
  const took = performance.now() - began;
  if (status !== 302 && status !== 303 && status !== 400) throw new Error(`${path} answered ${status}`);
  return took;
}
