import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Dice } from "../../../../tools/bench/dearest/dice";
import type { Target } from "../../../../tools/bench/dearest/price";
import { search } from "../../../../tools/bench/dearest/search";
import type { WireRequest } from "../../../../tools/bench/keep-alive";

/** The cost of a request, in ms, on top of the price of a page. */
type Weakness = (request: WireRequest) => number;

const PAGE_MS = 3;
const OPTIONS = { seconds: 1, finalists: 8, winners: 5, exactCpuMs: 20 };

/** The search asks for the number of hashes; nothing is hashed here. */
const metrics = createServer((_request, response) => response.end("portal_hash_wait_seconds_count 0\n"));
beforeAll(() => new Promise<void>((resolve) => metrics.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  metrics.close();
});

/** A portal whose clock advances by what each request costs. */
function portalWith(weakness: Weakness): Target {
  let cpuMs = 0;
  return {
    portal: { cpuMs: () => cpuMs },
    client: {
      send: (request) => {
        cpuMs += PAGE_MS + weakness(request);
        return Promise.resolve({ status: 200, setCookies: [] });
      },
      close: () => undefined,
    },
    metricsPort: (metrics.address() as AddressInfo).port,
    sent: 0,
    hashed: 0,
    hashMs: 0,
  };
}

const count = (text: string | readonly string[] = "", letter: string) =>
  [text].flat().join().split(letter).length - 1;
/** Negligible in an ordinary request; a second for a thousand. */
const square = (many: number) => many ** 2 / 1000;

async function dearestOf(weakness: Weakness): Promise<number> {
  const ingredients = { dice: new Dice(10), origin: "http://127.0.0.1", real: ["browser=b"] };
  // Hundreds of tries, the same each time, however fast this machine is.
  let ticks = 0;
  const now = () => (ticks += 1);
  const { dearest, referenceMs } = await search(portalWith(weakness), ingredients, { ...OPTIONS, now });
  return (dearest[0]?.cpuMs ?? 0) / referenceMs;
}

it.each<[string, Weakness]>([
  ["cookies", ({ headers }) => square(count(headers["Cookie"], ";"))],
  ["parts of a range", ({ headers }) => square(count(headers["Range"], ","))],
  ["headers", ({ headers }) => square(Object.keys(headers).length)],
  ["segments of an address", ({ path }) => square(count(path.split("?", 1)[0], "/"))],
  ["fields of a query", ({ path }) => square(count(path, "&"))],
  ["letters of a body", ({ body }) => square((body ?? "").length / 50)],
])("the search finds a cost that grows with the square of the number of %s", async (_what, weakness) => {
  expect(await dearestOf(weakness)).toBeGreaterThan(10);
});

it("the search finds nothing where every request costs the same", async () => {
  expect(await dearestOf(() => 0)).toBeCloseTo(1);
});
