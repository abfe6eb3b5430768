import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Outcome, Seen } from "./outcome";
import { atTopology, attackThroughNginx, FOR_SCANNERS, type Run } from "./place";
import { readNmap, scriptsIn } from "./nmap-report";
import { cutShortNotes, runProgram } from "./program";

const HTTP = [
  "http-methods",
  "http-trace",
  "http-headers",
  "http-enum",
  "http-errors",
  "http-security-headers",
  "http-cookie-flags",
  "http-sql-injection",
  "http-stored-xss",
  "http-slowloris-check",
  "http-shellshock",
  "http-git",
  "http-cors",
  "http-internal-ip-disclosure",
];
const TLS = [
  "ssl-enum-ciphers",
  "ssl-cert",
  "ssl-poodle",
  "ssl-heartbleed",
  "ssl-ccs-injection",
  "ssl-dh-params",
  "ssl-known-key",
  "tls-ticketbleed",
];
/** Slow ones, left out of a quick run. */
const SLOW = new Set(["http-enum", "http-slowloris-check", "http-sql-injection"]);
const SECONDS = { full: 240, quick: 45 } as const;
/** If one of these printed nothing, nmap didn't understand what it looked at. */
const MUST_ANSWER = ["http-headers", "ssl-enum-ciphers"];
const USER_AGENT = "Mozilla/5.0";

/** Runs nmap's scripts for HTTP and TLS on both ports of nginx. */
export function attackWithNmap(run: Run): Promise<readonly Outcome[]> {
  return atTopology({ env: FOR_SCANNERS }, async (topology) => [
    await attackThroughNginx(topology, { attack: "nmap scripts", kind: "others" }, () =>
      scan({ https: topology.port, http: topology.httpPort }, run),
    ),
  ]);
}

/** nmap stops at an answer in plain text, which nginx gives on its TLS port, too; so the ports are named to it. */
async function scan(
  ports: Readonly<Record<"http" | "https", number>>,
  { quick, reports }: Run,
): Promise<Seen> {
  const seconds = SECONDS[quick ? "quick" : "full"];
  const scripts = [...HTTP, ...TLS].filter((name) => !quick || !SLOW.has(name));
  const report = `${reports}/nmap.xml`;
  const services = `${reports}/services`;
  writeFileSync(services, `https\t${ports.https}/tcp\t1\nhttp\t${ports.http}/tcp\t1\n`);
  const end = await runProgram(
    "nmap",
    [
      // It scans exactly the ports of that file.
      ...["-Pn", "-n", "-sT", "--servicedb", services, "-oX", report],
      ...["--script", scripts.join(","), "--script-timeout", `${Math.round(seconds * 0.6)}s`],
      ...["--script-args", `http.useragent=${USER_AGENT},http-enum.displayall=false`, "127.0.0.1"],
    ],
    { seconds, outputFile: `${reports}/output.txt` },
  );
  const xml = existsSync(report) ? readFileSync(report, "utf8") : "";
  const answered = new Set(scriptsIn(xml).map(({ id }) => id));
  const silent = MUST_ANSWER.filter((id) => !answered.has(id));
  return {
    findings: readNmap(xml),
    notes: [`scripts that had something to say: ${[...answered].join(", ")}`, ...cutShortNotes(end, seconds)],
    ...(silent.length > 0 && {
      notReached: `${silent.join(" and ")} said nothing: nmap did not get through`,
    }),
  };
}
