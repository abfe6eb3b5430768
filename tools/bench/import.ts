import type { Thoroughness } from "./bench";
import { onPostgres, onSqlite, type Home } from "./home";
import { signInsBeside } from "./import/beside";
import { runImport } from "./import/command";
import { copied, sealed } from "./import/floors";
import { withPolicyholders } from "./import/policyholders";
import type { Row } from "./row";

const MOST_OF_FLOOR = 5;
const MOST_MB = 200;

type OnHome = <Value>(work: (home: Home) => Promise<Value>) => Promise<Value>;

/** A large import on both databases: how long it takes alone, its memory, and its effect on sign-ins. */
export async function benchImport({ quick }: Thoroughness): Promise<readonly Row[]> {
  const policyholders = quick ? 20_000 : 1_000_000;
  const beside = quick ? { rounds: 2, seconds: 6 } : { rounds: 4, seconds: 30 };
  const rows: Row[] = [];
  for (const [name, onHome] of [
    ["SQLite", onSqlite],
    ["PostgreSQL", onPostgres],
  ] satisfies [string, OnHome][]) {
    rows.push(...(await aloneRows(name, onHome, policyholders)));
    rows.push(await onHome((home) => signInsBeside(name, home, beside)));
  }
  return rows;
}

/** The floor is measured right after the import, on the same machine under the same load. */
function aloneRows(name: string, onHome: OnHome, policyholders: number): Promise<readonly Row[]> {
  return withPolicyholders({ first: 0, count: policyholders }, (file) =>
    onHome(async (home) => {
      await (await home.openStore()).close();
      const { seconds, peakMb } = await runImport(home, file).ended;
      const sealing = await sealed(home.keyring, file);
      const copy = await onHome((other) => copied(home, other));
      return [
        {
          name: `import: ${policyholders} policyholders on ${name}, with nobody else there`,
          unit: "s",
          measured: seconds,
          target: { of: "ratio", bound: "at most", value: MOST_OF_FLOOR },
          floor: { value: copy + sealing, what: "a plain copy of the rows, and sealing their values" },
          note: `${copy.toFixed(1)} s and ${sealing.toFixed(1)} s`,
        },
        {
          name: `memory: the same on ${name}, at the most`,
          unit: "MB",
          measured: peakMb,
          target: { of: "measured", bound: "at most", value: MOST_MB },
        },
      ] satisfies readonly Row[];
    }),
  );
}
