import { existsSync, readFileSync } from "node:fs";
import type { DemoCustomer } from "../../tests/demo-customers";
import { customersOf } from "../../tests/new-account";
import type { Topology } from "../../tests/topology/topology";
import { forEachOf } from "../bench/keep-alive";
import { withEnding } from "./endings";
import type { Outcome, Seen } from "./outcome";
import { atTopology, attackThroughNginx, attackWith, FOR_SCANNERS, type Attack, type Run } from "./place";
import { cutShortNotes, runProgram, type ProgramEnd } from "./program";
import { nginxLog, type LoggedRequest } from "./traffic";

/** A program that others wrote, and how a run of it ends. */
interface Tool {
  readonly program: string;
  /** The arguments of every run; `file` is where the run keeps what it writes, without an ending. */
  readonly args: (file: string, quick: boolean) => readonly string[];
  /** After so long it is stopped: half a report counts. */
  readonly seconds: { readonly full: number; readonly quick: number };
  /** The exit code of a run that was not stopped. With any other code it was not run. */
  readonly exitCode: number;
  /** The ending of its report's file. Without that file it was not run. Undefined: what it prints is the report. */
  readonly report?: string;
  /** How many aims are attacked at once. */
  readonly lanes: number;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts wapiti with its own translation of `-x` replaced: 3.0.4 as in Debian 12 writes a regular expression there that
 * Python 3.11 no longer takes. Without `-x` it signs itself out.
 */
const WAPITI = `import re
from wapitiCore.net import crawler
crawler.wildcard_translate = lambda url: re.compile(re.escape(url))
from wapitiCore.main.wapiti import wapiti_main
wapiti_main()`;
/**
 * Not `csrf`: it looks for a token in each form, and there is none. Writes are protected by Origin and SameSite, as
 * "cross-site writes" of forced-browsing.ts proves. Nor modules that download lists or look for well-known software.
 */
const WAPITI_MODULES =
  "xss,sql,blindsql,permanentxss,redirect,crlf,exec,file,http_headers,cookieflags,csp,methods,shellshock,ssrf,xxe";
/** wapiti loads even the modules that it won't run, and one of them asks GitHub for a list. Port 9 is closed. */
const LOOPBACK_ONLY = {
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
  no_proxy: "127.0.0.1",
};
/** The slow ones are left out of a quick run. */
const NMAP_SCRIPTS = {
  fast: `http-methods http-trace http-headers http-errors http-security-headers http-cookie-flags http-stored-xss
    http-shellshock http-git http-cors http-internal-ip-disclosure ssl-enum-ciphers ssl-cert ssl-poodle ssl-heartbleed
    ssl-ccs-injection ssl-dh-params ssl-known-key tls-ticketbleed`,
  slow: "http-enum http-slowloris-check http-sql-injection",
};

/** The exit codes say whether a tool worked, not what it found: that stands in its report. */
const TOOLS = {
  sqlmap: {
    program: "sqlmap",
    args: (file) => [
      // The database of the topology: payloads for others would take most of the time.
      ...["--batch", "--dbms=PostgreSQL", "--level=3", "--risk=2", "--ignore-code=400,401,404,409,422,429"],
      ...["--ignore-redirects", "--drop-set-cookie", "--disable-coloring", "--flush-session", "--threads=2"],
      ...["--timeout=10", "--retries=1", "-v", "1", `--output-dir=${file}`],
    ],
    seconds: { full: 25, quick: 14 },
    exitCode: 0,
    lanes: 3,
  },
  wapiti: {
    // Debian's Python, for which wapiti is installed.
    program: "/usr/bin/python3",
    args: (file, quick) => [
      // The scope "domain" would find no links at an IP address.
      ...["-c", WAPITI, "-m", WAPITI_MODULES, "--scope", "folder", "-f", "json", "-o", `${file}.json`],
      ...[
        "--store-session",
        `${file}-session`,
        "--flush-session",
        "--verify-ssl",
        "0",
        "-t",
        "10",
        "-v",
        "1",
      ],
      ...["--max-scan-time", quick ? "6" : "25", "--max-attack-time", quick ? "2" : "6"],
      // By default it asks for Brotli, and then finds no form in the answers; and it sends crash reports to its authors.
      ...["-H", "Accept-Encoding: identity", "--no-bugreport"],
    ],
    // A busy machine draws a scan out.
    seconds: { full: 240, quick: 120 },
    exitCode: 0,
    report: ".json",
    lanes: 1,
    env: LOOPBACK_ONLY,
  },
  nmap: {
    program: "nmap",
    args: (file, quick) => [
      ...["-Pn", "-n", "-sT", "-oX", `${file}.xml`, "--script-timeout", quick ? "27s" : "144s"],
      ...["--script", `${NMAP_SCRIPTS.fast} ${quick ? "" : NMAP_SCRIPTS.slow}`.trim().split(/\s+/).join(",")],
      ...["--script-args", "http.useragent=Mozilla/5.0,http-enum.displayall=false", "127.0.0.1"],
    ],
    seconds: { full: 240, quick: 45 },
    exitCode: 0,
    report: ".xml",
    lanes: 1,
  },
  ffuf: {
    program: "ffuf",
    args: (file, quick) => [
      ...[
        "-mc",
        "all",
        "-t",
        "8",
        "-s",
        "-maxtime",
        quick ? "55" : "115",
        "-of",
        "json",
        "-o",
        `${file}.json`,
      ],
    ],
    seconds: { full: 120, quick: 60 },
    exitCode: 0,
    report: ".json",
    lanes: 1,
  },
} satisfies Readonly<Record<string, Tool>>;

/** What an aim is opened with: a topology, a customer of its own who has no account yet, and a place for its files. */
export interface Ground extends Pick<Run, "quick"> {
  readonly topology: Topology;
  readonly customer: DemoCustomer;
  /** Without an ending. */
  readonly file: string;
}

/** A session that has to answer the same before the attack and after it: a dead one sends every request away. */
export interface AimSession {
  readonly ask: () => Promise<string>;
  readonly answer: string;
}

/** An aim that a tool can be started on. */
export interface Opened {
  readonly args: readonly string[];
  readonly session?: AimSession;
  /** Goes on beside the tool; returns what it found. */
  readonly meanwhile?: () => Promise<readonly string[]>;
  /** Judges the report, which is "" if there is none, and the aim's requests in nginx's log. */
  readonly judge: (report: string, requests: readonly LoggedRequest[]) => Seen | Promise<Seen>;
  readonly stop?: () => Promise<void>;
}

/** A form, a call or an address that a tool attacks: a row of the table. */
export interface Aim {
  readonly attack: string;
  /** Which requests are its own, where several aims are attacked at once. */
  readonly isOwn?: (request: LoggedRequest) => boolean;
  readonly open: (ground: Ground) => Promise<Opened>;
}

/** Aims that share a topology with these variables. */
export interface Aims {
  readonly env?: Readonly<Record<string, string>>;
  readonly aims: readonly Aim[];
}

/** Attacks each group of aims at a topology of its own. */
export function attackWithTool(name: keyof typeof TOOLS, groups: readonly Aims[]): Attack {
  const tool: Tool = TOOLS[name];
  return async (run) => {
    const outcomes = new Map<Aim, Outcome>();
    for (const { env = FOR_SCANNERS, aims } of groups)
      await atTopology({ env }, async (topology) => {
        const customer = customersOf();
        await forEachOf(aims, tool.lanes, async (aim) => {
          const file = `${run.reports}/${aim.attack.replaceAll(/[^\w.-]+/g, "_")}`;
          const ground = { topology, customer: customer(), file, quick: run.quick };
          outcomes.set(aim, await attackAim(tool, aim, ground));
        });
      });
    return groups.flatMap(({ aims }) => aims.flatMap((aim) => outcomes.get(aim) ?? []));
  };
}

/** Beside other aims, an error in a portal's log can't be told to be this one's. */
function attackAim(tool: Tool, { attack, isOwn, open }: Aim, ground: Ground): Promise<Outcome> {
  const plan = { attack, kind: "others" } as const;
  const work = async () => {
    const opened = await open(ground);
    const stop = opened.stop ?? (() => Promise.resolve());
    return withEnding(stop, () => letLoose(tool, opened, ground, isOwn));
  };
  return isOwn === undefined
    ? attackThroughNginx(ground.topology, plan, work)
    : attackWith({ ...plan, log: nginxLog(ground.topology), isOwn }, work);
}

async function letLoose(
  tool: Tool,
  { args, session, meanwhile, judge }: Opened,
  { topology, file, quick }: Ground,
  isOwn: Aim["isOwn"] = () => true,
): Promise<Seen> {
  const before = await wrongAnswer(session);
  if (before !== undefined) return { findings: [], notes: [], notReached: before };
  const log = nginxLog(topology);
  const length = await log.length();
  const seconds = tool.seconds[quick ? "quick" : "full"];
  const { env } = tool;
  const limits = { seconds, outputFile: `${file}.txt`, ...(env && { env }) };
  const [end, besides] = await Promise.all([
    runProgram(tool.program, [...tool.args(file, quick), ...args], limits),
    meanwhile?.() ?? [],
  ]);
  const report = tool.report === undefined ? end.output : reportIn(`${file}${tool.report}`);
  const seen = await judge(report, (await log.since(length)).filter(isOwn));
  const notReached = whyNotRun(tool, end, report, seen.notReached, await wrongAnswer(session));
  return {
    findings: [...seen.findings, ...besides],
    notes: [...seen.notes, ...cutShortNotes(end, seconds)],
    ...(notReached !== undefined && { notReached }),
  };
}

/**
 * What "not run" means: the tool failed, it left no report, it reached nothing, or its session was dead afterwards.
 * @returns the first reason; undefined if it has run
 */
export function whyNotRun(
  { program, exitCode }: Pick<Tool, "program" | "exitCode">,
  { code, isCutShort, output }: ProgramEnd,
  report: string,
  notReached?: string,
  wrongAfterwards?: string,
): string | undefined {
  const last = output.trim().split("\n").at(-1) ?? "";
  if (!isCutShort && code !== exitCode) return `${program} ended with ${String(code)}: ${last.slice(0, 200)}`;
  if (report === "") return `${program} wrote no report`;
  return notReached ?? (wrongAfterwards && `afterwards ${wrongAfterwards}`);
}

async function wrongAnswer(session: AimSession | undefined): Promise<string | undefined> {
  const answer = await session?.ask();
  return answer === session?.answer
    ? undefined
    : `it answers ${answer ?? ""} instead of ${session?.answer ?? ""}`;
}

function reportIn(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
