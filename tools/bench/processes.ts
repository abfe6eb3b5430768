import type { Thoroughness } from "./bench";
import { onPostgres } from "./home";
import { load, SIGN_IN_PAGE, type Round } from "./page-load";
import { mean } from "./percentile";
import type { Row } from "./row";

/** Sign-in pages of one process and of two on the same database, taking turns. The load itself uses the machine too. */
export async function benchProcesses({ quick }: Thoroughness): Promise<readonly Row[]> {
  const { rounds, pages } = quick ? { rounds: 2, pages: 500 } : { rounds: 6, pages: 1500 };
  return onPostgres(async (home) => {
    const [one, other] = [await home.startPortal(), await home.startPortal()];
    for (const portal of [one, other]) await load(portal, SIGN_IN_PAGE, pages);
    const alone: number[] = [];
    const together: number[] = [];
    for (let nth = 0; nth < rounds; nth += 1) {
      alone.push(perSecond([await load(one, SIGN_IN_PAGE, pages)]));
      together.push(
        perSecond(await Promise.all([load(one, SIGN_IN_PAGE, pages), load(other, SIGN_IN_PAGE, pages)])),
      );
    }
    await Promise.all([one.stop(), other.stop()]);
    return [
      {
        name: "processes: GET /home, two of them",
        unit: "/s",
        measured: mean(together),
        floor: { value: mean(alone), what: "one of them" },
        note: "the load runs on the same processors",
      },
    ];
  });
}

function perSecond(rounds: readonly Round[]): number {
  const pages = rounds.reduce((sum, round) => sum + round.pages, 0);
  return pages / Math.max(...rounds.map(({ seconds }) => seconds));
}
