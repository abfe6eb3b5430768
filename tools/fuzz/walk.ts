import { connect } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import type { HttpAnswer } from "../../tests/http-request";
import type { WalkedPortal } from "./ground";
import { tokensIn, type FuzzCustomer } from "./fuzz-customer";
import { faultsOf, type Asker, type Fault, type Outcome, type Watch } from "./promises";
import { FORMS, type FormName, type Way } from "./screens";
import { marked, spellCall, spellForm, spellPage, type Spelled } from "./spelling";
import { HOST, type FormStep, type Step } from "./steps";
import { formRow, type Tally } from "./tally";

const MS = 1000;
const OTHERS = "pages, files, other methods";

/** The data that walks share: the portal, the texts to look for, and the texts seen so far. */
export interface Setting {
  readonly portal: WalkedPortal;
  readonly watch: Watch;
  /** A request without an answer after this many seconds counts as hung. */
  readonly hangSeconds: number;
  readonly tally: Tally;
  /** Tokens from cookies and codes from messages, to be looked for in the log and the database. */
  readonly tokens: Set<string>;
  readonly codes: Set<string>;
}

/** A fault, and the request that brought it about. */
export interface SeenFault extends Fault {
  readonly where: string;
}

/** Takes two visitors along: first along the right way, then through the steps. Returns what was wrong. */
export async function walk(
  setting: Setting,
  customers: readonly [FuzzCustomer, FuzzCustomer],
  way: readonly Way[],
  steps: readonly Step[],
): Promise<readonly SeenFault[]> {
  const faults: SeenFault[] = [];
  for (const step of [...way.map(rightForm), ...steps])
    faults.push(...(await take(setting, customers, step)));
  for (const { codes } of customers) for (const code of codes) setting.codes.add(code);
  return faults;
}

function rightForm({ form, intent }: Way): FormStep {
  const fields = FORMS[form].fields.map(
    (name) => ({ kind: "field", name, value: { kind: "right" } }) as const,
  );
  const button = intent === undefined ? [] : [{ kind: "raw", text: `intent=${intent}` } as const];
  return {
    kind: "form",
    who: 0,
    form,
    parts: [...fields, ...button],
    head: { headers: [] },
    isScripted: false,
    times: 1,
    encoding: "utf8",
  };
}

async function take(
  setting: Setting,
  customers: readonly [FuzzCustomer, FuzzCustomer],
  step: Step,
): Promise<readonly SeenFault[]> {
  if (step.kind === "swap") {
    const [one, other] = customers;
    [one.visitor, other.visitor] = [other.visitor, one.visitor];
    return [];
  }
  const customer = customers[step.who];
  customer.turn();
  switch (step.kind) {
    case "form": {
      const spelled = await spellForm(customer, step, setting.portal.origin);
      const outcomes = await repeated(step.times, () => ask(setting, customer, spelled));
      for (const outcome of outcomes)
        if (outcome.kind === "answered") customer.learn(step.form, spelled.right, outcome.answer);
      return judge(setting, customers, rowOf(step.form, spelled), spelled, outcomes);
    }
    case "call": {
      const spelled = await spellCall(customer, step);
      const outcomes = await repeated(step.times, () => ask(setting, customer, spelled));
      return judge(setting, customers, `call ${step.call}`, spelled, outcomes);
    }
    case "page": {
      const spelled = spellPage(customer, step);
      return judge(setting, customers, OTHERS, spelled, [await ask(setting, customer, spelled)]);
    }
    case "wire": {
      const { origin, port } = setting.portal;
      const bytes = marked(customer, "password", step.bytes).replace(HOST, new URL(origin).host);
      const outcome = await within(setting.hangSeconds, writeBytes(port, bytes));
      const spelled = { method: "", path: JSON.stringify(bytes) };
      return judge(setting, customers, "broken requests", spelled, outcome.kind === "cut" ? [] : [outcome]);
    }
  }
}

/** Only a post counts for its form. */
function rowOf(form: FormName, { method }: Spelled): string {
  return method === "POST" ? formRow(form) : OTHERS;
}

function repeated(times: 1 | 2, work: () => Promise<Outcome>): Promise<readonly Outcome[]> {
  return Promise.all(Array.from({ length: times }, work));
}

function judge(
  { watch, tally, tokens }: Setting,
  customers: readonly [FuzzCustomer, FuzzCustomer],
  name: string,
  { method, path }: Pick<Spelled, "method" | "path">,
  outcomes: readonly Outcome[],
): readonly SeenFault[] {
  const asker: Asker = {
    people: new Set(customers.flatMap(({ account, newcomer }) => [account, newcomer])),
    tokens: customers.flatMap((customer) => customer.secrets()),
    codes: customers.flatMap(({ codes }) => [...codes]),
  };
  return outcomes.flatMap((outcome) => {
    tally.count(name, outcome);
    if (outcome.kind === "answered") {
      for (const line of outcome.answer.lines("Set-Cookie"))
        for (const token of tokensIn(line.split(";", 1)[0] ?? "")) tokens.add(token);
    }
    return faultsOf(outcome, asker, watch).map((fault) => ({
      ...fault,
      where: `${name}: ${method} ${path}`,
    }));
  });
}

function ask(
  { hangSeconds }: Setting,
  { visitor }: FuzzCustomer,
  { method, path, headers, body }: Spelled,
): Promise<Outcome> {
  return within(
    hangSeconds,
    visitor.send(method, path, { headers, ...(body && { body }) }).then(
      (answer): Outcome => ({ kind: "answered", answer }),
      (error: unknown): Outcome => ({ kind: "cut", why: String(error) }),
    ),
  );
}

async function within(seconds: number, work: Promise<Outcome>): Promise<Outcome> {
  const stop = new AbortController();
  const late = after(seconds * MS, undefined, { signal: stop.signal }).then(
    (): Outcome => ({ kind: "hung", seconds }),
    (): Outcome => ({ kind: "cut", why: "not waited for" }),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}

/** Writes bytes, ends the connection and reads the answer; a connection that just ends is an answer to them, too. */
function writeBytes(port: number, bytes: string): Promise<Outcome> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes, "latin1")).setEncoding("utf8");
    socket.on("data", (text: string) => (received += text));
    socket.on("error", () => undefined);
    socket.once("close", () => {
      const answer = firstAnswer(received);
      resolve(answer ? { kind: "answered", answer } : { kind: "cut", why: "no head" });
    });
  });
}

/** The first of the answers that a connection has brought. */
function firstAnswer(received: string): HttpAnswer | undefined {
  const [, status, head = "", body = ""] =
    /^HTTP\/1\.1 (\d{3})[^\r]*\r\n([^]*?)\r\n\r\n([^]*)$/.exec(received) ?? [];
  if (status === undefined || status === "100") return undefined;
  const pairs = head.split("\r\n").map((line) => {
    const at = line.indexOf(":");
    return { name: line.slice(0, at).toLowerCase(), value: line.slice(at + 1).trim() };
  });
  const lines = (name: string) =>
    pairs.filter((pair) => pair.name === name.toLowerCase()).map(({ value }) => value);
  return {
    status: Number(status),
    body: unchunked(
      body,
      lines("Transfer-Encoding").includes("chunked"),
      Number(lines("Content-Length")[0] ?? 0),
    ),
    lines,
    header: (name) => (lines(name).length === 0 ? undefined : lines(name).join(", ")),
    headerNames: pairs.map(({ name }) => name),
  };
}

function unchunked(body: string, isChunked: boolean, length: number): string {
  if (!isChunked) return Buffer.from(body).subarray(0, length).toString();
  let left = Buffer.from(body);
  const chunks: Buffer[] = [];
  for (;;) {
    const end = left.indexOf("\r\n");
    const size = Number.parseInt(left.subarray(0, Math.max(0, end)).toString("latin1"), 16);
    if (!(size > 0)) return Buffer.concat(chunks).toString();
    chunks.push(left.subarray(end + 2, end + 2 + size));
    left = left.subarray(end + 2 + size + 2);
  }
}
