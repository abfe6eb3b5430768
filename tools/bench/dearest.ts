import { freePort } from "../../tests/free-port";
import { Visitor } from "../../tests/visitor";
import { outboxAt } from "../../tests/portal";
import { bareHashes } from "./bare-hashes";
import type { Thoroughness } from "./bench";
import { Dice } from "./dearest/dice";
import { AT_ONCE, newHashes, type Target } from "./dearest/price";
import type { Ingredients } from "./dearest/random-recipe";
import { inShort, toWire, type Recipe } from "./dearest/recipe";
import { search, type Findings, type Priced } from "./dearest/search";
import { forEachOf, keepAliveClient } from "./keep-alive";
import { RATES_LIFTED } from "./looseness";
import { CONNECTIONS, load, SIGN_IN_PAGE } from "./page-load";
import { MOST_MB } from "./pages";
import { startPortal, withDataDir } from "./portal";
import type { Running } from "./process";
import type { Row } from "./row";

const MOST_OF_REFERENCE = 10;
const WARM_UP_PAGES = 500;
const HASH_SECONDS = 3;

/** The search for the dearest request that a visitor can send, and the memory that such requests leave behind. */
export async function benchDearest({ quick, seed }: Thoroughness): Promise<readonly Row[]> {
  const options = quick
    ? { seconds: 25, finalists: 12, winners: 10, exactCpuMs: 200 }
    : { seconds: 270, finalists: 20, winners: 10, exactCpuMs: 600 };
  const replay = quick ? { requests: 2000, seconds: 60 } : { requests: 20_000, seconds: 600 };
  console.log(`(seed ${seed})`);
  return withDataDir(async (dataDir) => {
    const metricsPort = await freePort();
    const portal = await startPortal(dataDir, {
      ...RATES_LIFTED,
      TRUSTED_PROXIES: "127.0.0.1",
      METRICS_PORT: String(metricsPort),
    });
    await load(portal, SIGN_IN_PAGE, WARM_UP_PAGES);
    const { cpuMsEach: hashMs } = await bareHashes({ concurrency: AT_ONCE, seconds: HASH_SECONDS });
    const target = {
      portal,
      client: keepAliveClient(portal.port, CONNECTIONS),
      metricsPort,
      sent: 0,
      hashed: 0,
      hashMs,
    };
    // The hashes that made the demo's accounts at the start don't count.
    await newHashes(target);
    const now = () => performance.now();
    const findings = await search(target, await ingredients(portal, seed), { ...options, now });
    const rows = [...priceRows(findings, seed), ...hashRows(findings)];
    const sent = await replayed(target, findings.dearest, replay);
    rows.push(memoryRow(portal, sent));
    target.client.close();
    await portal.stop();
    return rows;
  });
}

async function ingredients({ port }: Running, seed: number): Promise<Ingredients> {
  const origin = `http://127.0.0.1:${port}`;
  const visitor = new Visitor({ port, origin, ...outboxAt(port) });
  await visitor.accept();
  const flows = [];
  for (const [path, fields] of [
    ["/home/register", { policyNo: "POL-1", pid: "85021400129" }],
    ["/home/reset-password-init", { username: "nobody.at.all" }],
    ["/home/remind-login-init", { policyNo: "POL-1" }],
  ] as const) {
    await visitor.post(path, fields);
    flows.push(`flow=${visitor.cookies.get("flow") ?? ""}`);
  }
  return {
    dice: new Dice(seed),
    origin,
    real: [...flows, `browser=${visitor.cookies.get("browser") ?? ""}`],
  };
}

function priceRows({ dearest, referenceMs, tried }: Findings, seed: number): readonly Row[] {
  return dearest.map((priced, index) => ({
    name: `dearest ${index + 1}: ${priced.recipe.place} (${priced.status})`,
    unit: "ms",
    measured: priced.cpuMs,
    ...(index === 0 && { target: { of: "ratio", bound: "at most", value: MOST_OF_REFERENCE } as const }),
    floor: { value: referenceMs, what: "GET /home?x=…, rendered" },
    note: `${index === 0 ? `${tried} tried · ` : ""}${inShort(priced.recipe)}`,
    detail: { seed, tried, recipe: priced.recipe },
  }));
}

function hashRows({ hashing, referenceMs }: Findings): readonly Row[] {
  if (!hashing) return [];
  return [
    {
      name: `dearest with a password, less its hash: ${hashing.recipe.place} (${hashing.status})`,
      unit: "ms",
      measured: hashing.cpuMs,
      floor: { value: referenceMs, what: "GET /home?x=…, rendered" },
      target: { of: "ratio", bound: "at most", value: MOST_OF_REFERENCE },
      note: `${hashing.hashes.toFixed(2)} hashes each · ${inShort(hashing.recipe)}`,
      detail: { recipe: hashing.recipe },
    },
  ];
}

/** Sends the dearest requests in turn, as many as there is time for; returns how many. */
async function replayed(
  target: Target,
  dearest: readonly Priced[],
  { requests, seconds }: { readonly requests: number; readonly seconds: number },
): Promise<number> {
  const until = performance.now() + seconds * 1000;
  const recipes: readonly Recipe[] = dearest.map(({ recipe }) => recipe);
  let sent = 0;
  await forEachOf(
    Array.from({ length: requests }, (_, nth) => recipes[nth % recipes.length]),
    CONNECTIONS,
    async (recipe) => {
      if (!recipe || performance.now() > until) return;
      sent += 1;
      await target.client.send(toWire(recipe, (target.sent += 1))).catch(() => undefined);
    },
  );
  return sent;
}

function memoryRow(portal: Running, sent: number): Row {
  return {
    name: `memory: after the search and ${sent} of the dearest requests`,
    unit: "MB",
    measured: portal.residentMb(),
    target: { of: "measured", bound: "at most", value: MOST_MB },
  };
}
