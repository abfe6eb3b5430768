import type { Command } from "@commander-js/extra-typings";
import { environment } from "~/platform/config/environment.server";
import { readSmsSettings } from "~/platform/config/sms-variables.server";
import { systemClock } from "~/platform/time.server";
import type { AuditSource } from "~/backend/audit-event.server";
import { smsGateways } from "~/backend/sms/choose-gateway.server";
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
  tellSessions,
  tellUnlocked,
} from "./in-words.server";
import { unregisteredInWords } from "./unregistered-in-words.server";

/** A command's report: facts for JSON, lines for people. */
interface Told {
  readonly facts: object;
  readonly lines: readonly string[];
}

/** A command on one account, like `account unlock`. */
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
          const customer = await chooseCustomer(store.read, keyring, options, output.input);
          const { limits } = environment();
          const told = await run({ store, keyring, limits, clock: systemClock }, source, customer);
          report(output, options.json, told.facts, told.lines);
          return EXIT.done;
        });
      }),
    );
}

/** Asks the portals' gateways how far the messages have come. */
function withProgress({ limits }: SupportDependencies, messages: readonly ShownMessage[]) {
  const sms = readSmsSettings(environment());
  const { first, fallback } = sms.gateway === "none" ? {} : smsGateways(sms, limits);
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
    run: async (deps, act) =>
      tellFactors(act, await resetFactors({ ...deps, ...(await noticesOfCommands(deps.keyring)) }, act)),
  });
  addCustomerCommand(group, runs, {
    name: "reset-caps",
    about: "let messages go to the customer again: their own caps count from zero",
    run: async (deps, source, customer) => tellCaps(customer, await resetCaps(deps, source, customer)),
  });
};
