import { customerNumber, PASSWORD, seedCustomers } from "./accounts";
import type { Thoroughness } from "./bench";
import { onPostgres } from "./home";
import { withoutLimits } from "./looseness";
import { percentile } from "./percentile";
import type { Running } from "./process";
import type { Row } from "./row";

const FEW = 1000;
const MOST_OF_FEW = 1.2;
const LOOSE = withoutLimits("ADDRESS_SIGN_INS_PER_10_MINUTES");

/** How long a sign-in takes on PostgreSQL among a million accounts and among a thousand, taking turns. */
export async function benchManyAccounts({ quick }: Thoroughness): Promise<readonly Row[]> {
  const accounts = quick ? 100_000 : 1_000_000;
  const signIns = quick ? 150 : 400;
  return onPostgres((few) =>
    onPostgres(async (many) => {
      await seedCustomers(few, { customers: FEW, accounts: FEW });
      await seedCustomers(many, { customers: accounts, accounts });
      const [small, large] = [await few.startPortal(LOOSE), await many.startPortal(LOOSE)];
      const times = { few: [] as number[], many: [] as number[] };
      for (let nth = 0; nth < signIns; nth += 1) {
        times.few.push(await signIn(small, (nth * 7) % FEW));
        times.many.push(await signIn(large, (nth * 7919) % accounts));
      }
      await Promise.all([small.stop(), large.stop()]);
      return [
        {
          name: `PostgreSQL: a sign-in among ${accounts} accounts`,
          unit: "ms",
          measured: percentile(times.many, 50),
          target: { of: "ratio", bound: "at most", value: MOST_OF_FEW },
          floor: { value: percentile(times.few, 50), what: `the same among ${FEW}` },
          note: `medians of ${signIns}, each with its own account`,
        },
      ];
    }),
  );
}

/** How long one sign-in with the right password takes, in ms. */
async function signIn({ port }: Running, nth: number): Promise<number> {
  const body = JSON.stringify({ username: customerNumber(nth).username, password: PASSWORD });
  const headers = { "Content-Type": "application/json" };
  const began = performance.now();
  const { status } = await fetch(`http://127.0.0.1:${port}/home/api/auth/login`, {
    method: "POST",
    headers,
    body,
  });
  const took = performance.now() - began;
  if (status !== 200) throw new Error(`the answer to a right password was ${status}`);
  return took;
}
