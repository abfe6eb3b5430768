import type { Thoroughness } from "./bench";
import { forEachOf, keepAliveClient, type KeepAliveClient } from "./keep-alive";
import { RATES_LIFTED } from "./looseness";
import { CONNECTIONS, load, SIGN_IN_PAGE } from "./page-load";
import { percentile } from "./percentile";
import { startPortal, withDataDir } from "./portal";
import type { Running } from "./process";
import type { Row } from "./row";
import { addressNumber } from "./sign-in-load";

const MOST_OF_REFERENCE = 10;
const WARM_UP_PAGES = 500;
/** Requests in progress. */
const AT_ONCE = 4;

/** A request that any client may send. `{nth}` differs each time, so that nothing remembered can make it cheap. */
interface Dear {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Besides the consent. */
  readonly cookies: readonly string[];
}

const AGENT = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" };
/** Its head asks for four billion rounds of a key derivation that the portal doesn't know. */
const FORGED_FLOW = `flow=eyJhbGciOiJQQkVTMi1IUzI1NitBMTI4S1ciLCJlbmMiOiJBMjU2R0NNIiwicDJjIjo0MDAwMDAwMDAwLCJwMnMiOiJBQUFBIn0.${"A".repeat(54)}.${"A".repeat(16)}.${"A".repeat(22)}.${"A".repeat(22)}`;
const NEW_BROWSER = `browser=${"B".repeat(37)}{nth}`;
const manyHeaders = Object.fromEntries(Array.from({ length: 1000 }, (_, nth) => [`X-${nth}`, ";q=0.1,"]));

/** The price of rendering one page: the sign-in page at an address that can't be in memory. */
const REFERENCE: Dear = { path: "/home?x={nth}", cookies: [`browser=${"b".repeat(43)}`] };

/** The ten that a search of 1,095 requests found dearest on 28 November 2026, each of another kind of address. */
const DEAREST: readonly Dear[] = [
  {
    path: "/home?index",
    headers: { "Accept-Encoding": "br" },
    cookies: [`browser=${"%".repeat(2400)}`, ...Array.from({ length: 220 }, () => "c=%41")],
  },
  { path: "/service?x={nth}", headers: AGENT, cookies: [NEW_BROWSER, FORGED_FLOW] },
  {
    path: "/home/register?x={nth}",
    headers: { ...AGENT, "Accept-Encoding": "gzip, deflate, br", "X-Forwarded-For": "[::1]:80, ".repeat(25) },
    cookies: [`browser=${".".repeat(25)}`],
  },
  {
    path: "/home/reset-password-init?index",
    headers: { "Sec-Fetch-Site": "=;".repeat(12) },
    cookies: [`session=${"B".repeat(37)}{nth}`, FORGED_FLOW],
  },
  {
    path: "http://localhost/service",
    headers: { ...AGENT, "Accept-Encoding": "*", "If-Modified-Since": "*/*;q=0.5," },
    cookies: [NEW_BROWSER, `flow=${"eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0.".repeat(3)}`],
  },
  { path: `/${"-".repeat(1900)}`, headers: { ...AGENT, Referer: "gzip;q=1.000," }, cookies: [] },
  {
    path: `/home${"/a.b".repeat(22)}?_data=root&`,
    headers: { ...AGENT, "Accept-Language": '"'.repeat(100), Range: `bytes=${"0-1,".repeat(570)}0-0` },
    cookies: ["language=en"],
  },
  { path: "/é".repeat(5000), headers: AGENT, cookies: [`browser=${"A".repeat(43)}`] },
  {
    path: "/home/reset-password-init.data?x={nth}",
    headers: { ...AGENT, ...manyHeaders },
    cookies: [`session=${"A".repeat(15_000)}`, "language=."],
  },
  {
    path: "/home/cookies",
    headers: { ...AGENT, Accept: "text/html" },
    cookies: [`flow=${".".repeat(5000)}`],
  },
];

/** The price of the dearest requests known, beside that of a page; between them the page takes its turns. */
export async function benchDearest({ quick }: Thoroughness): Promise<readonly Row[]> {
  const times = quick ? 60 : 300;
  return withDataDir(async (dataDir) => {
    const portal = await startPortal(dataDir, { ...RATES_LIFTED, TRUSTED_PROXIES: "127.0.0.1" });
    await load(portal, SIGN_IN_PAGE, WARM_UP_PAGES);
    const client = keepAliveClient(portal.port, CONNECTIONS);
    const pages: number[] = [];
    const prices: number[] = [];
    for (const request of DEAREST) {
      pages.push(await priceOf(portal, client, REFERENCE, times));
      prices.push(await priceOf(portal, client, request, times));
    }
    client.close();
    await portal.stop();
    const floor = { value: percentile(pages, 50), what: "GET /home?x=…, rendered" };
    return DEAREST.map(({ path }, nth) => ({
      name: `dearest ${nth + 1}: GET ${path.slice(0, 40)}`,
      unit: "ms",
      measured: prices[nth] ?? NaN,
      target: { of: "ratio", bound: "at most", value: MOST_OF_REFERENCE },
      floor,
    }));
  });
}

let sent = 0;

/** The portal's processor time for a request, in ms. Each comes from an address of its own, as a proxy would say. */
async function priceOf(portal: Running, client: KeepAliveClient, request: Dear, times: number) {
  const before = portal.cpuMs();
  const numbers = Array.from({ length: times }, () => (sent += 1));
  await forEachOf(numbers, AT_ONCE, async (nth) => {
    const mark = `n${nth.toString(36).padStart(5, "0")}`;
    const { "X-Forwarded-For": forwarded = "", ...headers } = request.headers ?? {};
    const cookies = ["accepted-cookies=true", ...request.cookies].join("; ").replaceAll("{nth}", mark);
    const from = { "X-Forwarded-For": `${forwarded}${addressNumber(nth)}`, Cookie: cookies };
    const wire = {
      method: "GET",
      path: request.path.replaceAll("{nth}", mark),
      headers: { ...headers, ...from },
    };
    // A rejected request may lose its connection; it has cost something all the same.
    await client.send(wire).catch(() => undefined);
  });
  return (portal.cpuMs() - before) / times;
}
