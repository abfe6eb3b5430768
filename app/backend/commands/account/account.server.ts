import { showAccount } from "../../services/support/overview.server";
import {
  barAccount,
  enableAccount,
  endSessions,
  forgetDevices,
} from "../../services/support/account-state.server";
import { resetCaps } from "../../services/support/customer-caps.server";
import { unlockAccount } from "../../services/support/sign-in-locks.server";
import type { AddCommands } from "../kit/runs.server";
import { addAccountCommand, addCustomerCommand } from "./account-command.server";
import {
  tellBarred,
  tellCaps,
  tellDevices,
  tellEnabled,
  tellSessions,
  tellUnlocked,
} from "./acts-in-words.server";
import { overviewInWords } from "./overview-in-words.server";

/** `account …`: the help desk's commands. The audit records the operator and the reason for each. */
export const addAccount: AddCommands = (program, runs) => {
  const group = program
    .command("account")
    .description("a customer's account, for the help desk (docs/operations/commands.md)");
  addAccountCommand(group, runs, {
    name: "show",
    about: "show what a help desk needs on the phone: state, locks, sessions, devices, caps, last events",
    run: async (deps, act) => {
      const facts = await showAccount(deps, act);
      return { facts, lines: overviewInWords(facts) };
    },
  });
  addAccountCommand(group, runs, {
    name: "unlock",
    about: "lift the account's timed locks, and a lock set by a person",
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
  addCustomerCommand(group, runs, {
    name: "reset-caps",
    about: "let messages go to the customer again: their own caps count from zero",
    run: async (deps, source, customer) => tellCaps(customer, await resetCaps(deps, source, customer)),
  });
};
