import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { CODE_STEPS } from "../../tests/account-steps";
import { ANNA, type DemoCustomer } from "../../tests/demo-customers";
import { customersOf } from "../../tests/new-account";
import type { Topology } from "../../tests/topology/topology";
import { Visitor } from "../../tests/visitor";
import { startCollector } from "./collector";
import { withEnding } from "./endings";
import type { Outcome, Seen } from "./outcome";
import { atTopology, attackThroughNginx, FOR_SCANNERS, type Run } from "./place";
import { cutShortNotes, runProgram } from "./program";
import { nginxLog } from "./traffic";
import { readWapiti } from "./wapiti-report";

/**
 * Not `csrf`: it looks for a token in each form, and there is none. Writes are protected by Origin and SameSite, as
 * "cross-site writes" of forced-browsing.ts proves. Nor modules that download lists or look for well-known software.
 */
const MODULES =
  "xss,sql,blindsql,permanentxss,redirect,crlf,exec,file,http_headers,cookieflags,csp,methods,shellshock,ssrf,xxe";
/** Debian's Python, for which wapiti is installed. */
const PYTHON = "/usr/bin/python3";
/**
 * Starts wapiti with its own translation of `-x` replaced: 3.0.4 as in Debian 12 writes a regular expression there that
 * Python 3.11 no longer takes. Without `-x` it signs itself out.
 */
const START = [
  "import re",
  "from wapitiCore.net import crawler",
  "crawler.wildcard_translate = lambda url: re.compile(re.escape(url))",
  "from wapitiCore.main.wapiti import wapiti_main",
  "wapiti_main()",
].join("\n");
/** wapiti loads even the modules that it won't run, and one of them asks GitHub for a list. Port 9 is closed. */
const LOOPBACK_ONLY = {
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
  no_proxy: "127.0.0.1",
};
/** Seconds for the crawl, for each module, and for all of a scan, which a busy machine draws out. */
const SECONDS = { full: { scan: 25, module: 6, all: 240 }, quick: { scan: 6, module: 2, all: 120 } } as const;
/** Addresses that would end the session, or only change the language. */
const LEFT_OUT = ["/home/logout", "/language/en", "/language/pl"];

/** A scan: where it begins, and with whose cookies. */
interface Scan {
  readonly name: string;
  readonly starts: readonly string[];
  /** At least one of these forms must have been answered with 400. */
  readonly forms: readonly string[];
  /** Takes a new browser there; a customer who has no account yet can be used for it. */
  readonly open: (topology: Topology, customer: DemoCustomer) => Promise<Visitor>;
  /** The page that only this visitor sees. */
  readonly own: string;
}

/**
 * The journeys of a customer. Until a code was sent their screens are one button, which wapiti takes for no form; and a
 * browser is in one journey at a time. So each has a scan of its own.
 */
const SIGNED_IN = ["change-password", "change-login", "create-document-password"] as const;

const SCANS: readonly Scan[] = [
  {
    name: "signed out",
    starts: ["/home", "/home/register", "/home/reset-password-init", "/home/remind-login-init"],
    forms: ["/home", "/home/register", "/home/reset-password-init", "/home/remind-login-init"],
    open: async (topology) => {
      const visitor = new Visitor(topology);
      await visitor.accept();
      return visitor;
    },
    own: "/home",
  },
  {
    name: "sign-in code",
    starts: ["/home/mfa"],
    forms: ["/home/mfa"],
    open: async (topology) => {
      const visitor = new Visitor(topology);
      await visitor.begin(ANNA);
      return visitor;
    },
    own: "/home/mfa",
  },
  ...SIGNED_IN.map((name): Scan => {
    const { path, arrive } = CODE_STEPS[name];
    return {
      name: `signed in, ${name}`,
      starts: [path, "/cp", "/cp/profile", "/cp/contact", "/home/confirm-login"],
      forms: [path],
      open: async (topology, customer) => (await arrive(topology, customer)).visitor,
      own: "/cp",
    };
  }),
];

/** Crawls and attacks pages and forms. */
export function attackWithWapiti(run: Run): Promise<readonly Outcome[]> {
  const customer = customersOf();
  return atTopology({ env: FOR_SCANNERS }, async (topology) => {
    const outcomes: Outcome[] = [];
    for (const scan of SCANS)
      outcomes.push(
        await attackThroughNginx(topology, { attack: `wapiti, ${scan.name}`, kind: "others" }, async () =>
          scanWith(topology, scan, await scan.open(topology, customer()), run),
        ),
      );
    return outcomes;
  });
}

async function scanWith(
  topology: Topology,
  scan: Scan,
  visitor: Visitor,
  { quick, reports }: Run,
): Promise<Seen> {
  const folder = `${reports}/${scan.name.replaceAll(/[ ,]+/g, "-")}`;
  const log = nginxLog(topology);
  const length = await log.length();
  const limits = SECONDS[quick ? "quick" : "full"];
  const collector = await startCollector();
  const end = await withEnding(collector.stop, () =>
    runProgram(
      PYTHON,
      ["-c", START, ...argumentsFor(topology, scan, visitor, { folder, limits, endpoint: collector.url })],
      { seconds: limits.all, outputFile: `${folder}.txt`, env: LOOPBACK_ONLY },
    ),
  );
  const refused = (await log.since(length)).filter(
    ({ method, path, status }) => method === "POST" && status === 400 && scan.forms.includes(path),
  );
  const notReached = await whyNotReached(visitor, scan, refused.length, `${folder}.json`);
  const report = existsSync(`${folder}.json`) ? readWapiti(readFileSync(`${folder}.json`, "utf8")) : [];
  return {
    findings: [
      ...report,
      ...collector.visits().map((url) => `a portal asked the attacker's server for ${url}`),
    ],
    notes: [
      `forms that answered: ${[...new Set(refused.map(({ path }) => path))].join(", ") || "none"}`,
      ...cutShortNotes(end, limits.all),
    ],
    ...(notReached !== undefined && { notReached }),
  };
}

async function whyNotReached(
  visitor: Visitor,
  scan: Scan,
  refused: number,
  report: string,
): Promise<string | undefined> {
  if (!existsSync(report)) return "wapiti wrote no report";
  if (refused === 0) return "no form was ever reached";
  const { status } = await visitor.twin().get(scan.own);
  return status === 200 ? undefined : `afterwards ${scan.own} answers ${status}: the session is gone`;
}

interface Given {
  readonly folder: string;
  readonly limits: (typeof SECONDS)["full" | "quick"];
  readonly endpoint: string;
}

function argumentsFor(
  { origin }: Topology,
  { starts }: Scan,
  visitor: Visitor,
  { folder, limits, endpoint }: Given,
): readonly string[] {
  writeFileSync(`${folder}.cookies.json`, cookieFile(visitor));
  return [
    // The scope "domain" would find no links at an IP address.
    ...["-u", `${origin}/`, "--scope", "folder", "-m", MODULES, "-c", `${folder}.cookies.json`],
    ...["-f", "json", "-o", `${folder}.json`, "--store-session", `${folder}-session`, "--flush-session"],
    ...starts.flatMap((path) => ["-s", `${origin}${path}`]),
    ...LEFT_OUT.flatMap((path) => ["-x", `${origin}${path}`]),
    ...["--max-scan-time", String(limits.scan), "--max-attack-time", String(limits.module)],
    // By default it asks for Brotli, and then finds no form in the answers.
    ...[
      "-H",
      "Accept-Encoding: identity",
      "-H",
      `Origin: ${origin}`,
      "--verify-ssl",
      "0",
      "-t",
      "10",
      "-v",
      "1",
    ],
    // By default it sends crash reports to its authors, and collects a victim's requests at their server.
    ...["--no-bugreport", "--endpoint", endpoint],
  ];
}

/** wapiti's own format. */
function cookieFile({ cookies }: Visitor): string {
  const more = { expires: null, secure: true, port: null, version: 0 };
  const all = [...cookies].map(([name, value]) => [name, { value, ...more }] as const);
  return JSON.stringify({ "127.0.0.1": { "/": Object.fromEntries(all) } });
}
