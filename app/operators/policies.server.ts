import type { Command, OptionValues } from "@commander-js/extra-typings";
import { movePolicy, restoreTakenBack, showPolicy, takeBack, withDatabase } from "~/backend/index.server";
import type { PolicyActOutcome, SupportDependencies } from "~/backend/types";
import { environment } from "~/platform/config/environment.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { systemClock } from "~/platform/time.server";
import { chooseCustomer, readDash } from "./kit/choose-customer.server";
import { type AddCommands, EXIT, type ExitCode, type Output, report } from "./kit/command.server";
import { auditSource, type OperatorAct, withOperatorAct } from "./kit/operator-act.server";

interface ActOptions extends OperatorAct {
  readonly dryRun?: true;
  readonly json?: true;
}

function withAct<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return withOperatorAct(command)
    .option("--dry-run", "say what it would do, and change nothing")
    .option("--json", "print the result as JSON");
}

type Act = (deps: SupportDependencies, request: Parameters<typeof takeBack>[1]) => Promise<PolicyActOutcome>;

/** Does an act, or only rehearses it, and reports. */
function actAndReport(output: Output, options: ActOptions, act: Act): Promise<ExitCode> {
  const source = auditSource(options);
  const dryRun = options.dryRun === true;
  return withDatabase("portal", async (store, keyring) => {
    const deps = { store, keyring, limits: environment().limits, clock: systemClock };
    const { kind, facts } = await act(deps, { source, isRehearsal: dryRun });
    report(output, options.json, { changed: kind === "done", dryRun, ...facts });
    return kind === "impossible" ? EXIT.problem : EXIT.done;
  });
}

const POLICY_NO = ["--policy-no <number>", "the policy"] as const;

/** The verbs on a policy or a document. */
const VERBS = [
  ["take-back", "take a policy, with its documents, or a document back from its customer", takeBack],
  ["restore", "give a policy or a document that was taken back to its customer again", restoreTakenBack],
] as const;

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
  for (const [name, about, act] of VERBS)
    withAct(group.command(name))
      .description(about)
      .option(...POLICY_NO)
      .option("--document <id>", "the document: portal policy show lists the ids")
      .action(
        runs(["database", "keys"], (output, options) => {
          const { policyNo, document } = options;
          if ((policyNo === undefined) === (document === undefined))
            throw new UsageError("expected one of --policy-no and --document");
          const target = policyNo === undefined ? { document: document ?? "" } : { policyNo };
          return actAndReport(output, options, (deps, request) => act(deps, request, target));
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
        return actAndReport(output, options, async (deps, request) => {
          const choice = { policyNo: toPolicyNo, pid: toPid };
          const { customerId: toCustomer } = await chooseCustomer(deps, choice, output.input);
          return movePolicy(deps, request, { policyNo: options.policyNo, toCustomer });
        });
      }),
    );
};
