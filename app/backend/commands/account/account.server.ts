import { showAccount } from "../../services/support/overview.server";
import { endSessions, forgetDevices } from "../../services/support/end-access.server";
import { barAccount, enableAccount } from "../../services/support/account-state.server";
import { resetCaps } from "../../services/support/reset-caps.server";
import { unlockAccount } from "../../services/support/unlock.server";
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
    run: async (parts, act) => {
      const facts = await showAccount(parts, act);
      return { facts, lines: overviewInWords(facts) };
    },
  });
  addAccountCommand(group, runs, {
    name: "unlock",
    about: "lift the account's timed locks, and a lock set by a person",
    run: async (parts, act) => tellUnlocked(act, await unlockAccount(parts, act)),
  });
  for (const [name, state] of [
    ["disable", "disabled"],
    ["expire", "expired"],
  ] as const)
    addAccountCommand(group, runs, {
      name,
      about: `set the account's state to ${state}, and end its sessions and codes`,
      run: async (parts, act) => tellBarred(act, state, await barAccount(parts, act, state)),
    });
  addAccountCommand(group, runs, {
    name: "enable",
    about: "make a disabled or expired account active again",
    run: async (parts, act) => tellEnabled(act, await enableAccount(parts, act)),
  });
  addAccountCommand(group, runs, {
    name: "end-sessions",
    about: "end all sessions, those that wait for a code too, and all codes",
    run: async (parts, act) => tellSessions(act, await endSessions(parts, act)),
  });
  addAccountCommand(group, runs, {
    name: "forget-devices",
    about: "trust none of the account's devices any more, and know none of its browsers",
    run: async (parts, act) => tellDevices(act, await forgetDevices(parts, act)),
  });
  addCustomerCommand(group, runs, {
    name: "reset-caps",
    about: "let messages go to the customer again: their own caps count from zero",
    run: async (parts, source, customer) => tellCaps(customer, await resetCaps(parts, source, customer)),
  });
};
