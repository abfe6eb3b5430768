import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Keyring } from "../secrets/keyring.server";
import {
  customerWith,
  insertCustomer,
  putPolicy,
  updateCustomer,
} from "../services/accounts/write-customer.server";
import type { Store, Tx } from "../store/store.server";
import { besidePortal, type Voice } from "./beside-portal.server";
import { readPolicyholder, type Policyholder } from "./policyholder-line.server";

/** Lines of one transaction. Few, so that a portal that is serving meanwhile hardly waits. */
const BATCH = 16;

/** What became of a line. Only `refused` is bad: nothing of it was written. */
type Imported =
  | { readonly kind: "new" | "changed" | "unchanged" }
  | { readonly kind: "refused"; readonly problem: string };

/** How many lines had each end. */
export type ImportCounts = Record<Imported["kind"], number>;

interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * Writes the policyholders of a file with a JSON object in each line. One is known by kind and identifier: what is new
 * is added, what has changed is brought up to date, nothing is deleted. A policy never changes hands here: whoever got
 * another's number by a slip would see another's contract. Each line is written whole or not at all, and the same file
 * again changes nothing.
 * @param complain hears of each line that is refused: its number and the reason, and nothing of what stands in it
 */
export async function importPolicyholders(
  store: Store,
  keyring: Keyring,
  lines: AsyncIterable<string>,
  complain: (line: string) => void,
): Promise<ImportCounts> {
  const counts: ImportCounts = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  for await (const chunk of chunks(lines)) {
    const ends = await store.write((tx) => importLines(tx, keyring, chunk));
    for (const { number, end } of ends) {
      counts[end.kind] += 1;
      if (end.kind === "refused") complain(`line ${number}: ${end.problem}`);
    }
  }
  return counts;
}

async function* chunks(lines: AsyncIterable<string>): AsyncGenerator<readonly Line[]> {
  let chunk: Line[] = [];
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() !== "") chunk.push({ number, text });
    if (chunk.length < BATCH) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}

async function importLines(tx: Tx, keyring: Keyring, lines: readonly Line[]) {
  await waitForOtherImports(tx);
  const ends: { readonly number: number; readonly end: Imported }[] = [];
  for (const { number, text } of lines) {
    const reading = readPolicyholder(text);
    const end = reading.ok
      ? await putPolicyholder(tx, keyring, reading.holder)
      : { kind: "refused" as const, problem: reading.problem };
    ends.push({ number, end });
  }
  return ends;
}

/** Of two imports at once one waits, until the end of the transaction: they would not see each other's people. */
async function waitForOtherImports(tx: Tx): Promise<void> {
  await tx
    .insertInto("facts")
    .values({ name: "policyholders", value: "imported" })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: "imported" }))
    .execute();
}

/** Everything is checked before anything is written. */
async function putPolicyholder(tx: Tx, keyring: Keyring, holder: Policyholder): Promise<Imported> {
  const known = await customerWith(tx, keyring, holder);
  const foreign = await policyOfAnother(tx, holder, known?.id);
  if (foreign !== undefined)
    return { kind: "refused", problem: `policies.${foreign}: expected a policy that is nobody else's` };
  const id = known?.id ?? (await insertCustomer(tx, keyring, holder));
  let isChanged = known !== undefined && (await updateCustomer(tx, keyring, known, holder));
  for (const policy of holder.policies) isChanged = (await putPolicy(tx, id, policy)) || isChanged;
  if (!known) return { kind: "new" };
  return { kind: isChanged ? "changed" : "unchanged" };
}

/** The place in the list of the first policy that belongs to another policyholder. */
async function policyOfAnother(tx: Tx, { policies }: Policyholder, ownId: string | undefined) {
  const numbers = policies.map(({ policyNo }) => policyNo);
  const rows = await tx
    .selectFrom("policies")
    .select(["policy_no", "customer_id"])
    .where("policy_no", "in", numbers)
    .execute();
  const foreign = rows.find((row) => row.customer_id !== ownId);
  return foreign && numbers.indexOf(foreign.policy_no);
}

/** `import-policyholders FILE`. Gives the exit code: 1 when a line was refused. @throws StartRefusal, and why not read */
export async function main([file, ...more]: readonly string[], { say, complain }: Voice): Promise<number> {
  if (file === undefined || more.length > 0) {
    complain(
      "portal: import-policyholders FILE: expected one file (- is standard input) with a policyholder as JSON in each line",
    );
    return 1;
  }
  const counts = await besidePortal((store, keyring) =>
    importPolicyholders(store, keyring, linesOf(file), complain),
  );
  say(
    `Policyholders: ${counts.new} new, ${counts.changed} changed, ${counts.unchanged} unchanged; lines refused: ${counts.refused}`,
  );
  return counts.refused > 0 ? 1 : 0;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = file === "-" ? process.stdin : (await open(file)).createReadStream();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) yield line.replace(/^\uFEFF/, "");
}
