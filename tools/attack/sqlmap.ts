import { cookieHeader } from "../bench/portal";
import { forEachOf } from "../bench/keep-alive";
import { customersOf } from "../../tests/new-account";
import type { Topology } from "../../tests/topology/topology";
import type { Visitor } from "../../tests/visitor";
import type { Outcome, Seen } from "./outcome";
import { atTopology, attackWith, FOR_SCANNERS, type Run } from "./place";
import { cutShortNotes, runProgram } from "./program";
import { readSqlmap } from "./sqlmap-report";
import { SQLMAP_TARGETS, type SqlmapTarget } from "./sqlmap-targets";
import { nginxLog, type LoggedRequest } from "./traffic";

/** Seconds for one form or call. */
const SECONDS = { full: 25, quick: 14 } as const;
/** Forms attacked at once. */
const LANES = 3;
/** With fewer answers from the form itself, it counts as not tested. */
const LEAST_ANSWERS = 10;
const OPTIONS = [
  "--batch",
  // The database of the topology: payloads for others would take most of the time.
  "--dbms=PostgreSQL",
  "--level=3",
  "--risk=2",
  "--ignore-code=400,401,404,409,422,429",
  "--ignore-redirects",
  "--drop-set-cookie",
  "--disable-coloring",
  "--flush-session",
  "--threads=2",
  "--timeout=10",
  "--retries=1",
  "-v",
  "1",
];

/** Attacks every form and every call that takes input, each reached as a visitor would. */
export function attackWithSqlmap(run: Run): Promise<readonly Outcome[]> {
  return atTopology({ env: FOR_SCANNERS }, async (topology) => {
    const customer = customersOf();
    const outcomes = new Map<SqlmapTarget, Outcome>();
    await forEachOf(SQLMAP_TARGETS, LANES, async (target) => {
      const plan = {
        attack: `sqlmap ${target.method} ${target.path}`,
        kind: "others" as const,
        log: nginxLog(topology),
        isOwn: belongsTo(target),
      };
      outcomes.set(target, await attackWith(plan, () => injectInto(topology, target, customer(), run)));
    });
    return SQLMAP_TARGETS.flatMap((target) => outcomes.get(target) ?? []);
  });
}

async function injectInto(
  topology: Topology,
  target: SqlmapTarget,
  customer: Parameters<SqlmapTarget["open"]>[1],
  { quick, reports }: Run,
): Promise<Seen> {
  const { visitor, username } = await target.open(topology, customer);
  const path = target.path.replace("{username}", username);
  const before = await answerOf(visitor, target, path);
  if (before !== target.answer)
    return { findings: [], notes: [], notReached: `it answers ${before} instead of ${target.answer}` };
  const log = nginxLog(topology);
  const length = await log.length();
  const seconds = SECONDS[quick ? "quick" : "full"];
  const folder = `${reports}/${target.method}${target.path.replaceAll(/[^\w.-]+/g, "_")}`;
  const end = await runProgram(
    "sqlmap",
    [...OPTIONS, `--output-dir=${folder}`, ...argumentsFor(topology, target, path, cookieHeader(visitor))],
    { seconds, outputFile: `${folder}/output.txt` },
  );
  const status = Number(/\d{3}/.exec(target.answer)?.[0]);
  const own = (await log.since(length)).filter(belongsTo(target));
  const answered = own.filter((request) => [status, target.alsoStatus].includes(request.status)).length;
  const after = await answerOf(visitor, target, path);
  const { injections, cleared } = readSqlmap(end.output);
  const notReached =
    answered < LEAST_ANSWERS
      ? `only ${answered} answers with status ${status}`
      : after !== target.answer
        ? `afterwards it answers ${after} instead of ${target.answer}`
        : undefined;
  const tested = `${answered} answers of the form itself; tested to the end: ${cleared.join(", ") || "none"}`;
  return {
    findings: injections,
    notes: [[tested, ...cutShortNotes(end, seconds)].join("; ")],
    ...(notReached !== undefined && { notReached }),
  };
}

/** Several targets are attacked at once, so their requests in the log are told apart by address. */
function belongsTo(target: SqlmapTarget): (request: LoggedRequest) => boolean {
  return ({ method, path }) => method === target.method && target.logged.test(path);
}

/** The answer to the target's usual request, as the list of targets writes it. */
async function answerOf(visitor: Visitor, { method, body }: SqlmapTarget, path: string): Promise<string> {
  const window = visitor.twin();
  const plain = path.replaceAll("*", "");
  const { status, header } =
    typeof body === "string" ? await window.postBody(plain, body) : await window.call(method, plain, body);
  const location = header("Location");
  return location === undefined ? String(status) : `${status} → ${location}`;
}

function argumentsFor(
  { origin }: Topology,
  { method, body, fields }: SqlmapTarget,
  path: string,
  cookies: string,
): readonly string[] {
  const type = typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json";
  const data = typeof body === "string" ? body : JSON.stringify(body ?? {});
  return [
    "-u",
    `${origin}${path}`,
    `--method=${method}`,
    ...(method === "GET" ? [] : [`--data=${data}`]),
    `--cookie=${cookies}`,
    `--headers=Origin: ${origin}\nContent-Type: ${type}`,
    // With "*" in the address, sqlmap injects only there.
    ...(fields.length === 0 ? [] : ["-p", fields.join(",")]),
  ];
}
