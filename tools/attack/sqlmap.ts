import type { Visitor } from "../../tests/visitor";
import { cookieHeader } from "../bench/portal";
import type { Aim, Ground, Opened } from "./known-tools";
import { readSqlmap } from "./sqlmap-report";
import { SQLMAP_TARGETS, type SqlmapTarget } from "./sqlmap-targets";

/** With fewer answers from the form itself, it counts as not tested. */
const LEAST_ANSWERS = 10;

/** Every form and every call that takes input, each reached as a visitor would. */
export const SQLMAP_AIMS: readonly Aim[] = SQLMAP_TARGETS.map((target) => ({
  attack: `sqlmap ${target.method} ${target.path}`,
  isOwn: ({ method, path }) => method === target.method && target.logged.test(path),
  open: (ground) => openTarget(target, ground),
}));

async function openTarget(target: SqlmapTarget, { topology, customer }: Ground): Promise<Opened> {
  const { visitor, username } = await target.open(topology, customer);
  const path = target.path.replace("{username}", username);
  const status = Number(/\d{3}/.exec(target.answer)?.[0]);
  return {
    args: argumentsFor(target, topology.origin, path, cookieHeader(visitor)),
    session: { ask: () => answerOf(visitor, target, path), answer: target.answer },
    judge: (output, requests) => {
      const answered = requests.filter((one) => [status, target.alsoStatus].includes(one.status)).length;
      const { injections, cleared } = readSqlmap(output);
      return {
        findings: injections,
        notes: [`${answered} answers of the form itself; tested to the end: ${cleared.join(", ") || "none"}`],
        ...(answered < LEAST_ANSWERS && { notReached: `only ${answered} answers with status ${status}` }),
      };
    },
  };
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
  { method, body, fields }: SqlmapTarget,
  origin: string,
  path: string,
  cookies: string,
): readonly string[] {
  const type = typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json";
  const data = typeof body === "string" ? body : JSON.stringify(body ?? {});
  return [
    ...["-u", `${origin}${path}`, `--method=${method}`, `--cookie=${cookies}`],
    ...(method === "GET" ? [] : [`--data=${data}`]),
    `--headers=Origin: ${origin}\nContent-Type: ${type}`,
    // With "*" in the address, sqlmap injects only there.
    ...(fields.length === 0 ? [] : ["-p", fields.join(",")]),
  ];
}
