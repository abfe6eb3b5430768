import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { cookieHeader } from "../bench/portal";
import { freshCustomer } from "../../tests/demo-customers";
import type { Topology } from "../../tests/topology/topology";
import { Visitor } from "../../tests/visitor";
import { ADDRESSES } from "../../tests/attack/addresses";
import { guessCodes } from "./code-guessing";
import { findHidden, readFfuf } from "./ffuf-report";
import type { Outcome, Seen } from "./outcome";
import { atTopology, attackThroughNginx, FOR_SCANNERS, type Run } from "./place";
import { cutShortNotes, runProgram } from "./program";
import { RATES_LIFTED, SHIPPED } from "../bench/looseness";

const COMMON_WORDS = "/usr/share/dirb/wordlists/common.txt";
/** Files and addresses that portals like ours have leaked. */
const OUR_WORDS = [
  ".git/config",
  ".git/HEAD",
  ".env",
  ".env.production",
  ".data/portal.db",
  ".npmrc",
  ".well-known/openid-configuration",
  "metrics",
  "readyz",
  "demo/sms.json",
  "demo/sms",
  "demo/gallery",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "vite.config.ts",
  "Dockerfile",
  "build/server/index.js",
  "server/index.js",
  "app/root.tsx",
  "locales/pl/password.json",
  "docs/openapi.json",
  "openapi.json",
  "api/openapi.json",
  "home/api/openapi.json",
  "assets/",
  "assets/root.js.map",
  "assets/entry.client.js.map",
  "assets/..%2f..%2fserver%2findex.js",
  "assets/../../server/index.js",
  "..%2f..%2fetc%2fpasswd",
  "%2e%2e/%2e%2e/etc/passwd",
  "_nginx/unavailable.html",
  "_nginx/refused.html",
  "nginx_status",
  "server-status",
  "__manifest",
  "@vite/client",
  "@fs/etc/passwd",
  "node_modules/react/package.json",
  "debug/pprof",
  "actuator/health",
  "graphql",
  "admin",
  "cp/admin",
  "cp/api/",
  "home/api/",
  "home/api/user/",
  "home/api/user/anna.nowak",
  "refused/500",
];
/** The public files. */
const FILES = ["", ...readdirSync("public", { recursive: true, encoding: "utf8" }).map((path) => `/${path}`)];
const SECONDS = { full: 120, quick: 45 } as const;
/** Only every nth word of the list is tried, to keep a quick run quick. */
const EVERY_NTH = { full: 1, quick: 6 } as const;

/** Looks for hidden addresses, and guesses one-time codes. */
export async function attackWithFfuf(run: Run): Promise<readonly Outcome[]> {
  const hidden = await atTopology({ env: FOR_SCANNERS }, async (topology) => [
    await attackThroughNginx(topology, { attack: "ffuf, hidden addresses", kind: "others" }, () =>
      findAddresses(topology, run),
    ),
  ]);
  return [...hidden, ...(await guessing(run))];
}

/**
 * Guesses twice: from one address, with its caps as shipped, and from so many that only the code's own tries count.
 */
async function guessing(run: Run): Promise<readonly Outcome[]> {
  const guessers = { "one address": SHIPPED, "many addresses": { ...SHIPPED, ...RATES_LIFTED } };
  const outcomes: Outcome[] = [];
  for (const [whom, env] of Object.entries(guessers))
    for (const step of ["reset-password-submit", "remind-login-submit"] as const)
      outcomes.push(
        await atTopology({ env }, (topology) => {
          const attack = `ffuf, codes at ${step}, ${whom}`;
          const work = () => guessCodes(topology, step, freshCustomer(1), run);
          return attackThroughNginx(topology, { attack, kind: "others" }, work);
        }),
      );
  return outcomes;
}

async function findAddresses(topology: Topology, { quick, reports }: Run): Promise<Seen> {
  const { origin } = topology;
  const mode = quick ? "quick" : "full";
  const hasList = existsSync(COMMON_WORDS);
  const common = hasList ? readFileSync(COMMON_WORDS, "utf8").split("\n") : [];
  const words = [...OUR_WORDS, ...common.filter((_, nth) => nth % EVERY_NTH[mode] === 0)].filter(Boolean);
  writeFileSync(`${reports}/words.txt`, `${words.join("\n")}\n`);
  const visitor = new Visitor(topology);
  await visitor.accept();
  const report = `${reports}/hidden.json`;
  const end = await runProgram(
    "ffuf",
    [
      ...["-w", `${reports}/words.txt`, "-u", `${origin}/FUZZ`, "-H", `Cookie: ${cookieHeader(visitor)}`],
      ...["-mc", "all", "-t", "8", "-s", "-maxtime", String(SECONDS[mode] - 5), "-of", "json", "-o", report],
    ],
    { seconds: SECONDS[mode], outputFile: `${reports}/hidden.txt` },
  );
  if (!existsSync(report)) return { findings: [], notes: [], notReached: "ffuf wrote no report" };
  const results = readFfuf(readFileSync(report, "utf8"));
  return {
    findings: findHidden(results, { origin, paths: openPaths() }),
    notes: [
      `${results.length} of ${words.length} words answered${hasList ? "" : "; dirb's list is missing"}`,
      ...cutShortNotes(end, SECONDS[mode]),
    ],
    ...(results.length < words.length / 2 && { notReached: "most words had no answer" }),
  };
}

/** Addresses that a visitor with consent may see, and files. */
function openPaths(): readonly string[] {
  const screens = ADDRESSES.filter(
    ({ path, get }) =>
      (typeof get === "object" ? get["signed-out"] : get) === 200 && !path.startsWith("/demo"),
  ).map(({ path }) => path);
  return [...FILES, ...screens].filter((path) => path !== "/readyz");
}
