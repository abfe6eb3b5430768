import type { Thoroughness } from "./bench";
import { startBareServer } from "./bare";
import { percentile } from "./percentile";
import { startPortal, withDataDir } from "./portal";
import type { Running } from "./process";
import type { Row } from "./row";

const TARGET_S = 0.6;

/** From the start of the process to the first sign-in page, with an existing database and build. */
export async function benchStart({ quick }: Thoroughness): Promise<readonly Row[]> {
  const starts = quick ? 3 : 7;
  return withDataDir(async (dataDir) => {
    await (await startPortal(dataDir)).stop(); // makes the database
    const portal: number[] = [];
    const bare: number[] = [];
    for (let nth = 0; nth < starts; nth += 1) {
      portal.push(await firstAnswerOf(() => startPortal(dataDir)));
      bare.push(await firstAnswerOf(() => startBareServer({ headers: {}, body: Buffer.from("ok") })));
    }
    return [
      {
        name: "start: process to first 200, existing database",
        unit: "s",
        measured: percentile(portal, 50) / 1000,
        target: { of: "measured", bound: "at most", value: TARGET_S },
        floor: { value: percentile(bare, 50) / 1000, what: "bare node:http" },
        note: `median of ${starts}`,
      },
    ];
  });
}

async function firstAnswerOf(start: () => Promise<Running>): Promise<number> {
  const running = await start();
  await running.stop();
  return running.firstAnswerMs;
}
