import autocannon from "autocannon";
import { outboxAt } from "../../tests/portal";
import { Visitor } from "../../tests/visitor";
import { customerNumber, PASSWORD, seedCustomers } from "./accounts";
import type { Thoroughness } from "./bench";
import { onPostgres } from "./home";
import { RATES_LIFTED } from "./looseness";
import { VISITOR } from "./portal";
import type { Running } from "./process";
import { mean } from "./percentile";
import type { Row } from "./row";

const ACCOUNTS = 200;
const PAGE_CONNECTIONS = 8;
const CUSTOMERS_AT_ONCE = 4;
const SAMPLES_A_MINUTE = 12;
/** Allows for what the garbage collector happens to have left at one moment and not at another. */
const MOST_GROWTH = 1.05;

/**
 * Pages, wrong passwords and whole sign-ins at once, for ten minutes (quick: one). Compares the memory of the process
 * in the last tenth with that in the middle.
 */
export async function benchSoak({ quick }: Thoroughness): Promise<readonly Row[]> {
  const seconds = quick ? 60 : 600;
  return onPostgres(async (home) => {
    await seedCustomers(home, { customers: ACCOUNTS, accounts: ACCOUNTS });
    const portal = await home.startPortal(RATES_LIFTED);
    const held = await heldWhile(portal, seconds, () => mixedLoad(portal, seconds));
    await portal.stop();
    const tenth = held.megabytes.length / 10;
    const last = mean(held.megabytes.slice(-tenth));
    return [
      {
        name: `soak: memory after ${seconds / 60} minutes of mixed load`,
        unit: "MB",
        measured: last,
        target: { of: "ratio", bound: "at most", value: MOST_GROWTH },
        floor: { value: mean(held.megabytes.slice(5 * tenth, 6 * tenth)), what: "the same after half of it" },
        note: `${held.done.pages} pages, ${held.done.signIns} whole sign-ins, ${held.done.failed} failed`,
      },
    ];
  });
}

interface Done {
  readonly pages: number;
  readonly signIns: number;
  readonly failed: number;
}

async function heldWhile(portal: Running, seconds: number, load: () => Promise<Done>) {
  const megabytes: number[] = [];
  const timer = setInterval(
    () => megabytes.push(portal.residentMb()),
    (seconds * 1000) / (10 * SAMPLES_A_MINUTE),
  );
  const done = await load();
  clearInterval(timer);
  return { megabytes, done };
}

async function mixedLoad(portal: Running, seconds: number): Promise<Done> {
  const until = performance.now() + seconds * 1000;
  const pages = autocannon({
    url: `http://127.0.0.1:${portal.port}`,
    connections: PAGE_CONNECTIONS,
    duration: seconds,
    overallRate: 60,
    headers: VISITOR,
    requests: [
      { path: "/home" },
      { path: "/home/register" },
      { path: "/cp" },
      {
        method: "POST",
        path: "/home/api/auth/login",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ username: "nobody.at.all", password: PASSWORD }),
      },
    ],
  });
  const customers = Array.from({ length: CUSTOMERS_AT_ONCE }, (_, nth) => signInUntil(portal, nth, until));
  const [{ requests, errors }, ...each] = await Promise.all([pages, ...customers]);
  return {
    pages: requests.total,
    signIns: each.reduce((sum, { signIns }) => sum + signIns, 0),
    failed: errors + each.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Customers one after another: password, code, customer area, sign-out. */
async function signInUntil({ port }: Running, lane: number, until: number) {
  const portal = { port, origin: `http://127.0.0.1:${port}`, ...outboxAt(port) };
  let [signIns, failed] = [0, 0];
  for (let nth = lane; performance.now() < until; nth = (nth + CUSTOMERS_AT_ONCE) % ACCOUNTS) {
    const { username, phone } = customerNumber(nth);
    const visitor = new Visitor(portal);
    await visitor.accept();
    await visitor.login({ username, password: PASSWORD });
    await visitor.confirm(await portal.lastCode(phone));
    const { status } = await visitor.get("/cp");
    await visitor.post("/home/logout");
    if (status === 200) signIns += 1;
    else failed += 1;
  }
  return { signIns, failed };
}
