import type { Command } from "@commander-js/extra-typings";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import type { AuditSource } from "../../audit-event.server";
import type {
  Policyholder,
  SupportAct,
  SupportDependencies,
} from "../../services/support/account-state.server";
import { chooseCustomer, withCustomer } from "../kit/choose-customer.server";
import { EXIT, Nonsense } from "../kit/exit-code.server";
import { auditSource, withOperatorAct } from "../kit/operator-act.server";
import { report } from "../kit/output.server";
import { withPortalDatabase } from "../kit/portal-database.server";
import type { Runs } from "../kit/runs.server";

/** What a command reports: facts for JSON, lines for people. */
interface Told {
  readonly facts: object;
  readonly lines: readonly string[];
}

/** A command on one account, such as `account unlock`. */
interface AccountCommand {
  readonly name: string;
  readonly about: string;
  readonly run: (deps: SupportDependencies, act: SupportAct) => Promise<Told>;
}

/** A command on a policyholder who may have no account. */
interface CustomerCommand extends Omit<AccountCommand, "run"> {
  readonly run: (deps: SupportDependencies, source: AuditSource, customer: Policyholder) => Promise<Told>;
}

/** Adds a command on one account. It refuses a customer without one. */
export function addAccountCommand(group: Command, runs: Runs, { run, ...named }: AccountCommand): void {
  addCustomerCommand(group, runs, {
    ...named,
    run: (deps, source, { accountId }) => {
      if (accountId === undefined) throw new Nonsense("this customer has no account");
      return run(deps, { accountId, source });
    },
  });
}

/** Adds a command on a policyholder, with the options that say who does this, to whom and why. */
export function addCustomerCommand(group: Command, runs: Runs, { name, about, run }: CustomerCommand): void {
  withOperatorAct(withCustomer(group.command(name).description(about)))
    .option("--json", "print the result as JSON")
    .action(
      runs((output, options) => {
        const source = auditSource(options);
        return withPortalDatabase(async (store, keyring) => {
          const customer = await chooseCustomer(store.read, keyring, options);
          const { limits } = environment();
          const told = await run({ store, keyring, limits, clock: systemClock }, source, customer);
          report(output, options.json, told.facts, told.lines);
          return EXIT.done;
        });
      }),
    );
}
