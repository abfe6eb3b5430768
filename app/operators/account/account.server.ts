import type { Command } from "@commander-js/extra-typings";
import type { Needs } from "~/platform/config/command-needs.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import type { AuditSource } from "~/backend/audit-event.server";
import { gatewaysToAsk } from "~/backend/sms/choose-gateway.server";
import {
  barAccount,
  enableAccount,
  endSessions,
  forgetDevices,
  type Policyholder,
  resetFactors,
  type SupportAct,
  type SupportDependencies,
} from "../support/account-state.server";
import { chooseCustomer, withCustomer } from "../kit/choose-customer.server";
import { type AddCommands, EXIT, Nonsense, report, type Runs } from "../kit/command.server";
import { auditSource, withOperatorAct } from "../kit/operator-act.server";
import { noticesOfCommands } from "../kit/notices.server";
import { withPortalDatabase } from "../kit/portal-database.server";
import { askProgress } from "../support/last-messages.server";
import { showAccount } from "../support/overview.server";
import { resetCaps } from "../support/customer-caps.server";
import { unlockAccount } from "../support/sign-in-locks.server";
import {
  overviewInWords,
  tellBarred,
  tellCaps,
  tellDevices,
  tellEnabled,
  tellFactors,
  tellSessions,
  tellUnlocked,
} from "./in-words.server";

/** A command's report: facts for JSON, lines for people. */
interface Told {
  readonly facts: object;
  readonly lines: readonly string[];
}

/** A command on one account, like `account unlock`. */
interface AccountCommand {
  readonly name: string;
  readonly about: string;
  /** What its work needs besides the database and its keys. */
  readonly needs?: Needs;
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
export function addCustomerCommand(
  group: Command,
  runs: Runs,
  { name, about, needs = [], run }: CustomerCommand,
): void {
  withOperatorAct(withCustomer(group.command(name).description(about)))
    .option("--json", "print the result as JSON")
    .action(
      runs(["database", "keys", ...needs], (output, options) => {
        const source = auditSource(options);
        return withPortalDatabase(async (store, keyring) => {
          const customer = await chooseCustomer(store.read, keyring, options, output.input);
          const { limits } = environment();
          const told = await run({ store, keyring, limits, clock: systemClock }, source, customer);
          report(output, options.json, told.facts, told.lines);
          return EXIT.done;
        });
      }),
    );
}

/** `account …`: the help desk's commands. The audit records the operator and the reason for each. */
export const addAccount: AddCommands = (program, runs) => {
  const group = program
    .command("account")
    .description("a customer's account, for the help desk (docs/operations/commands.md)");
  addAccountCommand(group, runs, {
    name: "show",
    about:
      "show what a help desk needs on the phone: state, locks, sessions, devices, caps, messages, last events",
    // Without them it can't ask whether a message has arrived, and shows everything else.
    needs: ["sms if set"],
    run: async (deps, act) => {
      const shown = await showAccount(deps, act);
      const { first, fallback } = gatewaysToAsk(environment(), deps.limits);
      const facts = { ...shown, messages: await askProgress(shown.messages, [first, fallback]) };
      return { facts, lines: overviewInWords(facts) };
    },
  });
  addAccountCommand(group, runs, {
    name: "unlock",
    about: "lift the account's timed locks, stops after guessed codes, and a lock set by a person",
    run: async (deps, act) => tellUnlocked(act, await unlockAccount(deps, act)),
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
    run: async (deps, act) =>
      tellFactors(act, await resetFactors({ ...deps, ...(await noticesOfCommands(deps.keyring)) }, act)),
  });
  addCustomerCommand(group, runs, {
    name: "reset-caps",
    about: "let messages go to the customer again: their own caps count from zero",
    run: async (deps, source, customer) => tellCaps(customer, await resetCaps(deps, source, customer)),
  });
};
