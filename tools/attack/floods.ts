import { residentMbOf } from "../bench/process";
import { ask } from "../../tests/http-request";
import { startPortal } from "../../tests/portal";
import type { Topology } from "../../tests/topology/topology";
import { withEnding } from "./endings";
import type { Outcome, Seen } from "./outcome";
import { atTopology, attackThroughNginx, attackWith } from "./place";
import { beside, probeFindings, probeNote, type Probed } from "./probe";
import { exchange } from "./raw-connection";
import { portalLog } from "./traffic";
import { RATES_LIFTED, SHIPPED } from "../bench/looseness";

/** nginx takes a hundred requests at once from each address, so this attacker has several. */
const FROM = Array.from({ length: 5 }, (_, nth) => `127.0.1.${nth + 1}`);
const PIPELINED = 3000;
const SIGN_INS = 250;
const WARM_UP = 150;
const MB = 1024 * 1024;
/** How much memory a portal may keep after a flood (MB): V8's growth under load, and hardly more. */
const MOST_MB_KEPT = 150;
/** Longer than nginx goes on reading after refusing a body. It reads on so that the client sees the refusal. */
const PATIENCE_MS = 40_000;

/** How long unfinished requests are held. */
const HOLD_MS = 8000;

interface Flood {
  readonly name: string;
  /** Returns what went wrong, and notes. */
  readonly run: (probed: Probed) => Promise<Seen>;
}

const FLOODS: readonly Flood[] = [
  { name: `${PIPELINED} pipelined requests`, run: pipelined },
  { name: "500 unfinished requests", run: connections },
  { name: `${SIGN_INS} sign-ins at once`, run: signIns },
  { name: "big and endless bodies", run: bodies },
  { name: "deep and long addresses", run: addresses },
];

/** Too much of everything, through nginx and at a portal without a proxy, while a visitor loads the sign-in page. */
export async function attackWithFloods(): Promise<readonly Outcome[]> {
  const env = { ...SHIPPED, ...RATES_LIFTED };
  const behindNginx = await atTopology({ env }, async (topology) => {
    await warmUp(topology);
    const outcomes: Outcome[] = [];
    for (const flood of FLOODS)
      outcomes.push(
        await attackThroughNginx(topology, { attack: `flood, ${flood.name}, nginx`, kind: "flood" }, () =>
          withProbe(topology, pidsOf(topology), flood),
        ),
      );
    return outcomes;
  });
  const portal = await startPortal({ env });
  const alone = await withEnding(
    async () => {
      await portal.stop();
    },
    async () => {
      await warmUp(portal);
      const outcomes: Outcome[] = [];
      for (const flood of FLOODS) {
        const plan = {
          attack: `flood, ${flood.name}, portal`,
          kind: "flood",
          log: portalLog(portal.log),
        } as const;
        outcomes.push(await attackWith(plan, () => withProbe(portal, [portal.pid], flood)));
      }
      return outcomes;
    },
  );
  return [...behindNginx, ...alone];
}

function pidsOf({ members }: Topology): readonly number[] {
  return members.map(({ pid }) => pid());
}

async function withProbe(probed: Probed, pids: readonly number[], { run }: Flood): Promise<Seen> {
  const before = pids.map(residentMbOf);
  const { value: seen, probes } = await beside(probed, () => run(probed));
  const kept = pids.map((pid, nth) => Math.round(residentMbOf(pid) - (before[nth] ?? 0)));
  const tooMuch = kept.filter((mb) => mb > MOST_MB_KEPT).map((mb) => `a portal kept ${mb} MB`);
  return {
    findings: [...seen.findings, ...probeFindings(probes), ...tooMuch],
    notes: [...seen.notes, probeNote(probes), `memory of the portals: ${kept.map(withSign).join(", ")} MB`],
  };
}

const withSign = (mb: number) => (mb >= 0 ? `+${mb}` : String(mb));

function headOf({ origin }: Probed, first: string, ...more: readonly string[]): string {
  return [`${first} HTTP/1.1`, `Host: ${new URL(origin).host}`, ...more, "", ""].join("\r\n");
}

/** Many requests on one connection. */
async function pipelined(probed: Probed): Promise<Seen> {
  const one = headOf(probed, "GET /home", "Cookie: accepted-cookies=true");
  const [first = ""] = FROM;
  const end = await exchange({ ...probed, from: first }, [one.repeat(PIPELINED)], PATIENCE_MS);
  return { findings: [], notes: [`${end.statuses.length} were answered; ${describedEnd(end.isClosed)}`] };
}

/** Unfinished requests: half of them stop in the middle of a head, the others in the middle of a body. */
async function connections(probed: Probed): Promise<Seen> {
  const head = headOf(probed, "POST /home?index", ...formHeaders(probed), "Content-Length: 9000");
  const unfinished = [head.slice(0, -2), `${head}username=a`];
  const all = FROM.flatMap((from) =>
    Array.from({ length: 100 }, (_, nth) =>
      exchange({ ...probed, from }, [unfinished[nth % 2] ?? ""], HOLD_MS),
    ),
  );
  const closed = (await Promise.all(all)).filter(({ isClosed }) => isClosed).length;
  const note = `${all.length} connections from ${FROM.length} addresses, ${closed} closed within ${HOLD_MS / 1000} s`;
  return { findings: [], notes: [note] };
}

/** The headers of a form from our own origin. */
function formHeaders({ origin }: Probed): readonly string[] {
  return [
    "Content-Type: application/x-www-form-urlencoded",
    `Origin: ${origin}`,
    "Cookie: accepted-cookies=true",
  ];
}

/** A sign-in with an unknown username: no lock comes first, so each one needs a hash. */
const signIn = ({ origin, port, secure }: Probed, nth: number) =>
  ask({
    port,
    secure,
    path: "/home?index",
    method: "POST",
    from: FROM[nth % FROM.length] ?? "127.0.1.1",
    headers: {
      Host: new URL(origin).host,
      Origin: origin,
      Cookie: "accepted-cookies=true",
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ username: `kto.to.${nth}`, password: "Zle-Haslo-2026!" }).toString(),
  });

/** A portal that has just started runs uncompiled code: its first dozens of sign-ins cost several times as much. */
async function warmUp(probed: Probed): Promise<void> {
  for (let nth = 0; nth < WARM_UP; nth += 1) await signIn(probed, SIGN_INS + nth);
}

async function signIns(probed: Probed): Promise<Seen> {
  const answers = await Promise.all(Array.from({ length: SIGN_INS }, (_, nth) => signIn(probed, nth)));
  const busy = answers.filter(({ status }) => status === 503);
  const silent = busy.filter(({ header }) => header("Retry-After") === undefined).length;
  const odd = answers.filter(({ status }) => ![400, 429, 503].includes(status)).map(({ status }) => status);
  return {
    findings: [
      ...(silent > 0 ? [`${silent} answers with 503 don't say when to come back`] : []),
      ...(odd.length > 0 ? [`other answers: ${[...new Set(odd)].join(", ")}`] : []),
    ],
    notes: [`${busy.length} of ${answers.length} were told to come back`],
  };
}

/** Bodies that are declared too big, that never end, or that come in endless chunks. */
async function bodies(probed: Probed): Promise<Seen> {
  const more = formHeaders(probed);
  const declared = headOf(probed, "POST /home?index", ...more, `Content-Length: ${64 * MB}`);
  const chunked = headOf(probed, "POST /home?index", ...more, "Transfer-Encoding: chunked");
  const call = headOf(
    probed,
    "POST /home/api/auth/login",
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
  );
  const block = "a".repeat(16 * 1024);
  const chunk = `${block.length.toString(16)}\r\n${block}\r\n`;
  const sent = [declared, chunked, call].flatMap((head) =>
    FROM.flatMap((from) =>
      Array.from({ length: 8 }, () =>
        exchange({ ...probed, from }, endless(head, head === declared ? block : chunk), PATIENCE_MS),
      ),
    ),
  );
  const ends = await Promise.all(sent);
  const open = ends.filter(({ isClosed }) => !isClosed).length;
  const most = Math.max(...ends.map(({ sentBytes }) => sentBytes));
  const served = ends.filter(({ statuses }) => statuses.some((status) => status < 400)).length;
  return {
    findings: [
      ...(open > 0 ? [`${open} connections were still open after ${PATIENCE_MS / 1000} s of body`] : []),
      ...(served > 0 ? [`${served} bodies were taken`] : []),
    ],
    notes: [`${ends.length} bodies, none got rid of more than ${Math.round(most / MB)} MB`],
  };
}

/** Up to 64 MB. The server throws away everything it reads after the refusal. */
function* endless(head: string, piece: string): Generator<string> {
  yield head;
  for (let sent = 0; sent < 64 * MB; sent += piece.length) yield piece;
}

async function addresses(probed: Probed): Promise<Seen> {
  const paths = [
    "/a".repeat(900),
    "/a".repeat(7000),
    `/${"b".repeat(15_000)}`,
    `/home?${"c=d&".repeat(3500)}`,
  ];
  const { origin, port, secure } = probed;
  const headers = { Host: new URL(origin).host, Cookie: "accepted-cookies=true" };
  const statuses = new Map<number, number>();
  for (let round = 0; round < 25; round += 1) {
    const answers = await Promise.all(
      paths.flatMap((path) => FROM.map((from) => ask({ port, secure, path, from, headers }))),
    );
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const odd = [...statuses.keys()].filter((status) => status < 400);
  return {
    findings: odd.length > 0 ? [`some were served: ${odd.join(", ")}`] : [],
    notes: [[...statuses].map(([status, times]) => `${times} × ${status}`).join(", ")],
  };
}

function describedEnd(isClosed: boolean): string {
  return isClosed
    ? "then the server closed the connection"
    : `we closed the connection after ${PATIENCE_MS / 1000} s`;
}
