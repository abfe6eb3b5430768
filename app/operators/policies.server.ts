import type { Command, OptionValues } from "@commander-js/extra-typings";
import { readPolicyNo } from "~/contract/rules";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { audit, type AuditEventName, type StaffSource } from "~/backend/audit/audit-event.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { accountOf, lockCustomer, meantByNumber } from "~/backend/customers/customers.server";
import {
  documentsTakenBack,
  meansPolicy,
  movePolicy,
  restoreDocument,
  type Restored,
  restorePolicy,
  takeBackDocument,
  takeBackPolicy,
  type TakingBack,
} from "~/backend/documents/take-back.server";
import type { Store, Tx } from "~/backend/store/store.server";
import type { Tables } from "~/backend/store/tables.server";
import { waitForOtherImports } from "~/backend/import/import-batch.server";
import { chooseCustomer, readDash } from "./kit/choose-customer.server";
import { findPolicy } from "~/backend/support/choose-customer.server";
import { type AddCommands, EXIT, type ExitCode, type Output, report } from "./kit/command.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { auditSource, type OperatorAct, withOperatorAct } from "./kit/operator-act.server";
import { rehearse } from "~/backend/store/rehearse.server";
import { withDatabase } from "~/backend/store/portal-database.server";
import { subjectOf } from "~/backend/support/account-state.server";
import { showPolicy, takenBackOf } from "~/backend/support/show-policy.server";

/** The outcome of an act: its facts, and the command's exit code. */
interface ActReport {
  readonly changed: boolean;
  readonly facts?: object;
  readonly code?: ExitCode;
}

interface ActOptions extends OperatorAct {
  readonly dryRun?: true;
  readonly json?: true;
}

/** An act in its transaction, while no import writes. */
interface Act extends TakingBack {
  readonly tx: Tx;
  /** Writes an event about a customer. */
  readonly audited: (event: AuditEventName, customerId: string) => Promise<void>;
}

function withAct<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return withOperatorAct(command)
    .option("--dry-run", "say what it would do, and change nothing")
    .option("--json", "print the result as JSON");
}

type Work = (act: Act) => Promise<ActReport>;

/**
 * Does an act, or only rehearses it, and reports.
 * @param begin does the part that must not keep imports waiting, and returns the act
 */
function actAndReport(
  output: Output,
  options: ActOptions,
  begin: (store: Store, keyring: Keyring) => Work | Promise<Work>,
): Promise<ExitCode> {
  const source = auditSource(options);
  return withDatabase("portal", async (store, keyring) => {
    const act = await begin(store, keyring);
    const { changed, facts, code } = await inTransaction(store, keyring, { source, options, act });
    report(output, options.json, { changed, dryRun: options.dryRun === true, ...facts });
    return code ?? EXIT.done;
  });
}

async function inTransaction(
  store: Store,
  keyring: Keyring,
  { source, options, act }: { source: StaffSource; options: ActOptions; act: Work },
): Promise<ActReport> {
  const work = async (tx: Tx) => {
    await waitForOtherImports(tx);
    const now = systemClock();
    const audited = async (event: AuditEventName, customerId: string) =>
      audit(tx, source, now, {
        event,
        ...subjectOf({ customerId, accountId: await accountOf(tx, customerId) }),
      });
    return act({ tx, keyring, limits: environment().limits, now, audited });
  };
  return options.dryRun ? rehearse(store, work) : store.write(work);
}

/** Finds a policy and locks its holder, so that no erasure comes between. */
async function lockPolicy(tx: Tx, typed: string): Promise<Tables["policies"] | undefined> {
  const number = readPolicyNo(typed);
  const policy = await findPolicy(tx, number);
  if (!policy) return undefined;
  return (await lockCustomer(tx, policy.customer_id)) ? policy : undefined;
}

async function removePolicy(act: Act, typed: string): Promise<ActReport> {
  const policy = await lockPolicy(act.tx, typed);
  const earlier = await takenBackPolicies(act.tx, typed);
  if (!policy || !meansPolicy(readPolicyNo(typed), policy, earlier))
    return alreadyTakenBack(earlier, "policy");
  const documents = await takeBackPolicy(act.tx, act, policy);
  await act.audited("policy-removed", policy.customer_id);
  return { changed: true, facts: { id: policy.id, documents } };
}

/** The taken-back policies with exactly this number, or, if there are none, with any spelling of it. */
async function takenBackPolicies(tx: Tx, typed: string) {
  const number = readPolicyNo(typed);
  const rows = (await takenBackOf(tx, number)).filter(({ kind }) => kind === null);
  const exact = meantByNumber(number, rows);
  return exact.length > 0 ? exact : rows;
}

/** A repeated command has nothing left to do. @throws UsageError if there never was such a thing */
function alreadyTakenBack(rows: readonly { readonly taken_back_at: number }[], what: string): ActReport {
  const [row] = rows;
  if (!row) throw new UsageError(`no such ${what}`);
  return { changed: false, facts: { takenBackAt: new Date(row.taken_back_at) } };
}

async function putBackPolicy(act: Act, typed: string): Promise<ActReport> {
  const [row] = await takenBackPolicies(act.tx, typed);
  const stored = await findPolicy(act.tx, readPolicyNo(typed));
  if (!row && !stored) throw new UsageError("no such policy");
  if (!row) return tellRestored({ kind: "there" });
  if (stored && meansPolicy(readPolicyNo(typed), stored, [row])) return tellRestored({ kind: "not-theirs" });
  if (!(await lockCustomer(act.tx, row.customer_id))) throw new UsageError("no such policy");
  const restored = await restorePolicy(act.tx, act, row);
  if (restored.kind === "restored") await act.audited("policy-restored", row.customer_id);
  return tellRestored(restored);
}

function tellRestored(restored: Restored): ActReport {
  if (restored.kind === "restored") return { changed: true, facts: { documents: restored.documents } };
  const code = restored.kind === "there" ? EXIT.done : EXIT.problem;
  return { changed: false, facts: { outcome: restored.kind }, code };
}

async function movePolicyTo(act: Act, typed: string, customerId: string): Promise<ActReport> {
  const policy = await findPolicy(act.tx, readPolicyNo(typed));
  if (!policy) throw new UsageError("no such policy");
  const from = policy.customer_id;
  if (from === customerId) return { changed: false };
  for (const id of [from, customerId].sort())
    if (!(await lockCustomer(act.tx, id))) throw new UsageError("no such customer");
  const { takenBack, restored } = await movePolicy(act.tx, act, policy, customerId);
  await act.audited("policy-moved", from);
  await act.audited("policy-moved", customerId);
  return {
    changed: true,
    facts: { from, to: customerId, documentsTakenBack: takenBack, documentsRestored: restored },
  };
}

async function removeDocument(act: Act, id: string): Promise<ActReport> {
  const document = await act.tx.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirst();
  const policy = document && (await lockPolicy(act.tx, document.policy_no));
  if (!policy) return alreadyTakenBack(await takenBackDocuments(act.tx, id), "document");
  await takeBackDocument(act.tx, act, policy, document);
  await act.audited("document-removed", policy.customer_id);
  return { changed: true, facts: { id } };
}

function takenBackDocuments(tx: Tx, id: string) {
  return documentsTakenBack(tx).where("id", "=", id).execute();
}

async function putBackDocument(act: Act, id: string): Promise<ActReport> {
  const [row] = await takenBackDocuments(act.tx, id);
  if (!row) {
    const stored = await act.tx.selectFrom("documents").select("id").where("id", "=", id).executeTakeFirst();
    if (!stored) throw new UsageError("no such document");
    return tellRestored({ kind: "there" });
  }
  if (!(await lockCustomer(act.tx, row.customer_id))) throw new UsageError("no such document");
  const restored = await restoreDocument(act.tx, act, row);
  if (restored.kind === "restored") await act.audited("document-restored", row.customer_id);
  return tellRestored(restored);
}

const POLICY_NO = ["--policy-no <number>", "the policy"] as const;
/** An id or a number, as typed. */
type Named = (act: Act, typed: string) => Promise<ActReport>;

/** The verbs on a policy or a document. */
const VERBS: readonly (readonly [name: string, about: string, ofPolicy: Named, ofDocument: Named])[] = [
  [
    "take-back",
    "take a policy, with its documents, or a document back from its customer",
    removePolicy,
    removeDocument,
  ],
  [
    "restore",
    "give a policy or a document that was taken back to its customer again",
    putBackPolicy,
    putBackDocument,
  ],
];

/** `policy …`. */
export const addPolicy: AddCommands = (program, runs) => {
  const group = program
    .command("policy")
    .description("a policy or a document of one: show, take back, restore, move to another customer");
  withOperatorAct(group.command("show"))
    .description("show a policy's id, its documents' ids, and what was taken back")
    .requiredOption(...POLICY_NO)
    .option("--json", "print the result as JSON")
    .action(
      runs(["database", "keys"], (output, options) => {
        const source = auditSource(options);
        return withDatabase("portal", async (store, keyring) => {
          const shown = await showPolicy({ store, keyring }, source, options.policyNo, systemClock());
          report(output, options.json, shown);
          return EXIT.done;
        });
      }),
    );
  for (const [name, about, ofPolicy, ofDocument] of VERBS)
    withAct(group.command(name))
      .description(about)
      .option(...POLICY_NO)
      .option("--document <id>", "the document: portal policy show lists the ids")
      .action(
        runs(["database", "keys"], (output, options) => {
          const { policyNo, document } = options;
          if ((policyNo === undefined) === (document === undefined))
            throw new UsageError("expected one of --policy-no and --document");
          return actAndReport(
            output,
            options,
            () => (act) =>
              policyNo === undefined ? ofDocument(act, document ?? "") : ofPolicy(act, policyNo),
          );
        }),
      );
  withAct(group.command("move"))
    .description("give a policy, with its terms, to another customer; a move back undoes it")
    .requiredOption(...POLICY_NO)
    .option("--to-policy-no <number>", "to the customer who holds this policy")
    .option(
      "--to-pid <->",
      "to the customer whose identifier is on standard input",
      readDash("--to-pid", "the identifier"),
    )
    .action(
      runs(["database", "keys"], (output, options) => {
        const { toPolicyNo, toPid } = options;
        if ((toPolicyNo === undefined) === (toPid === undefined))
          throw new UsageError("expected one of --to-policy-no and --to-pid -");
        return actAndReport(output, options, async (store, keyring) => {
          const choice = { policyNo: toPolicyNo, pid: toPid };
          const { customerId } = await chooseCustomer(store.read, keyring, choice, output.input);
          return (act) => movePolicyTo(act, options.policyNo, customerId);
        });
      }),
    );
};
