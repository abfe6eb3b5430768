import type { Command } from "@commander-js/extra-typings";
import type { Needs } from "~/platform/config/command-needs.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import type { StaffSource } from "~/backend/audit-event.server";
import { stopNewPhone, applyNewPhone } from "~/backend/services/accounts/new-phone.server";
import type { NoticeDependencies } from "~/backend/services/notices/notices.server";
import { gatewaysToAsk } from "~/backend/messages/choose-gateway.server";
import {
  barAccount,
  enableAccount,
  endSessions,
  forgetDevices,
  lockOut,
  type Policyholder,
  resetFactors,
  type SupportAct,
  type SupportDependencies,
} from "../support/account-state.server";
import { chooseCustomer, type CustomerChoice, withCustomer } from "../kit/choose-customer.server";
import { type AddCommands, EXIT, UsageError, reportInWords, type Runs } from "../kit/command.server";
import { auditSource, type OperatorAct, withOperatorAct } from "../kit/operator-act.server";
import { noticesOfCommands } from "../kit/notices.server";
import { withPortalDatabase } from "../kit/portal-database.server";
import { askProgress, type ShownMessage } from "../support/last-messages.server";
import { showAccount } from "../support/overview.server";
import { showUnregistered } from "../support/unregistered.server";
import { resetCaps } from "../support/customer-caps.server";
import { unlockAccount } from "../support/sign-in-locks.server";
import { addFind } from "./find.server";
import {
  overviewInWords,
  tellBarred,
  tellCaps,
  tellDevices,
  tellEnabled,
  tellFactors,
  tellLockedOut,
  tellSessions,
  tellUnlocked,
} from "./in-words.server";
import { tellDecided } from "./new-phone-in-words.server";
import { unregisteredInWords } from "./unregistered-in-words.server";

/** A command's report: facts for JSON, lines for people. */
interface CommandReport {
  readonly facts: object;
  readonly lines: readonly string[];
}

interface NamedCommand {
  readonly name: string;
  readonly about: string;
  /** The needs of its work besides the database and its keys. */
  readonly needs?: Needs;
}

/** The customer of a command who has an account. */
interface OnAccount extends SupportAct {
  readonly customerId: string;
}

/** A command on one account, like `account unlock`. */
interface AccountCommand extends NamedCommand {
  readonly run: (deps: SupportDependencies, act: OnAccount) => Promise<CommandReport>;
}

/** The work of a command on a policyholder who may have no account. */
type CustomerWork<Options> = (
  deps: SupportDependencies,
  source: StaffSource,
  customer: Policyholder,
  options: Options,
) => Promise<CommandReport>;

/** A command on a policyholder who may have no account. */
interface CustomerCommand extends NamedCommand {
  readonly run: CustomerWork<unknown>;
}

/** Adds a command on one account. It refuses a customer without one. */
function addAccountCommand(group: Command, runs: Runs, { run, ...named }: AccountCommand): void {
  addCustomerCommand(group, runs, { ...named, run: onAccount(run) });
}

/** Adds a command on a policyholder. */
function addCustomerCommand(
  group: Command,
  runs: Runs,
  { needs = [], run, ...named }: CustomerCommand,
): void {
  customerCommand(group, named).action(onCustomer(runs, needs, run));
}

/** A command with the options that say who does this, to whom and why. */
function customerCommand(group: Command, { name, about }: Pick<NamedCommand, "name" | "about">) {
  return withOperatorAct(withCustomer(group.command(name).description(about))).option(
    "--json",
    "print the result as JSON",
  );
}

/** Refuses a customer without an account. */
function onAccount<Options>(
  run: (deps: SupportDependencies, act: OnAccount, options: Options) => Promise<CommandReport>,
): CustomerWork<Options> {
  return (deps, source, { customerId, accountId }, options) => {
    if (accountId === undefined) throw new UsageError("this customer has no account");
    return run(deps, { accountId, customerId, source }, options);
  };
}

/** Chooses the customer, does the work and reports. */
function onCustomer<Options extends CustomerChoice & OperatorAct & { readonly json?: true }>(
  runs: Runs,
  needs: Needs,
  run: CustomerWork<Options>,
) {
  return runs(["database", "keys", ...needs], (output, options: Options) => {
    const source = auditSource(options);
    return withPortalDatabase(async (store, keyring) => {
      const customer = await chooseCustomer(store.read, keyring, options, output.input);
      const { limits } = environment();
      const deps = { store, keyring, limits, clock: systemClock };
      const told = await run(deps, source, customer, options);
      reportInWords(output, options.json, told.facts, told.lines);
      return EXIT.done;
    });
  });
}

/** The dependencies of an act that tells the customer. */
async function tellingCustomers(
  deps: SupportDependencies,
): Promise<SupportDependencies & NoticeDependencies> {
  return { ...deps, ...(await noticesOfCommands(deps.keyring)) };
}

/** Asks the portals' gateways how far the messages have come. */
function withProgress({ limits }: SupportDependencies, messages: readonly ShownMessage[]) {
  const { first, fallback } = gatewaysToAsk(environment(), limits);
  return askProgress(messages, [first, fallback]);
}

/** `account …`: the help desk's commands. The audit records the operator and the reason for each. */
export const addAccount: AddCommands = (program, runs) => {
  const group = program
    .command("account")
    .description("a customer's account, for the help desk (docs/operations/commands.md)");
  addCustomerCommand(group, runs, {
    name: "show",
    about:
      "show what a help desk needs on the phone: state, locks, sessions, devices, caps, messages, last events",
    // Without them it can't ask whether a message has arrived, and shows everything else.
    needs: ["sms if set"],
    run: async (deps, source, { customerId, accountId }) => {
      if (accountId === undefined) {
        const shown = await showUnregistered(
          { ...deps, smsPrefixes: environment().SMS_PREFIXES },
          { customerId, source },
        );
        const facts = { ...shown, messages: await withProgress(deps, shown.messages) };
        return { facts, lines: unregisteredInWords(facts) };
      }
      const shown = await showAccount(deps, { accountId, source });
      const facts = { ...shown, messages: await withProgress(deps, shown.messages) };
      return { facts, lines: overviewInWords(facts) };
    },
  });
  addFind(group, runs);
  addAccountCommand(group, runs, {
    name: "unlock",
    about: "lift the account's timed locks, stops after guessed codes, and a lock set by a person",
    needs: ["notices"],
    run: async (deps, act) => tellUnlocked(act, await unlockAccount(await tellingCustomers(deps), act)),
  });
  for (const [name, state] of [
    ["disable", "disabled"],
    ["expire", "expired"],
  ] as const)
    addAccountCommand(group, runs, {
      name,
      about: `set the account's state to ${state}, and end its sessions and codes`,
      run: async (deps, act) => tellBarred(act, state, await barAccount(deps, act, state)),
    });
  addAccountCommand(group, runs, {
    name: "enable",
    about: "make a disabled or expired account active again",
    run: async (deps, act) => tellEnabled(act, await enableAccount(deps, act)),
  });
  addAccountCommand(group, runs, {
    name: "end-sessions",
    about: "end all sessions, those that wait for a code too, and all codes",
    run: async (deps, act) => tellSessions(act, await endSessions(deps, act)),
  });
  addAccountCommand(group, runs, {
    name: "forget-devices",
    about: "trust none of the account's devices any more, and know none of its browsers",
    run: async (deps, act) => tellDevices(act, await forgetDevices(deps, act)),
  });
  addAccountCommand(group, runs, {
    name: "reset-factors",
    about:
      "for a lost app and recovery code: remove all second factors, and end sessions and trusted devices",
    needs: ["notices"],
    run: async (deps, act) => tellFactors(act, await resetFactors(await tellingCustomers(deps), act)),
  });
  customerCommand(group, {
    name: "lock-out",
    about: "for a lost phone: end all sessions and codes, and trust and know no device any more",
  })
    .option("--reset-factors", "remove all second factors as well: they were on that phone")
    .action(
      onCustomer(
        runs,
        ["notices"],
        onAccount(async (deps, act, { resetFactors: withFactors = false }) =>
          tellLockedOut(act, await lockOut(await tellingCustomers(deps), act, { withFactors }), withFactors),
        ),
      ),
    );
  addAccountCommand(group, runs, {
    name: "use-new-phone",
    about: "send codes to a new number that waits at once, and tell both numbers",
    needs: ["notices"],
    run: async (deps, act) =>
      tellDecided(act, await applyNewPhone(await tellingCustomers(deps), act.source, act), "used"),
  });
  addAccountCommand(group, runs, {
    name: "keep-old-phone",
    about: "stop a new number that waits, and tell both numbers",
    needs: ["notices"],
    run: async (deps, act) =>
      tellDecided(act, await stopNewPhone(await tellingCustomers(deps), act.source, act), "stopped"),
  });
  addCustomerCommand(group, runs, {
    name: "reset-caps",
    about: "let messages go to the customer again: their own caps count from zero",
    run: async (deps, source, customer) => tellCaps(customer, await resetCaps(deps, source, customer)),
  });
};
