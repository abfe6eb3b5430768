import type { Command } from "@commander-js/extra-typings";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { ACT_NAMES, actOf, showAccount, withDatabase } from "~/backend/index.server";
import type { ActName, ActOutcome, OnCustomer, SupportDependencies } from "~/backend/types";
import { chooseCustomer, type CustomerChoice, withCustomer } from "./kit/choose-customer.server";
import { type AddCommands, EXIT, type ExitCode, type Output, report, type Runs } from "./kit/command.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { noticesOfCommands } from "./kit/notices.server";
import { auditSource, type OperatorAct, withOperatorAct } from "./kit/operator-act.server";
import { addFind } from "./account-find.server";

/** `account …`: the help desk's commands. The audit records the operator and the reason for each. */
export const addAccount: AddCommands = (program, runs) => {
  const group = program
    .command("account")
    .description("a customer's account, for the help desk (docs/operations/commands.md)");
  addCommand(
    group,
    "show",
    "show what a help desk needs on the phone: state, locks, sessions, devices, caps, messages, last events",
  )
    // Without the gateway's variables it shows everything except whether a message has arrived.
    .action(runs(["database", "keys", "sms if set"], show));
  addFind(group, runs);
  for (const name of ACT_NAMES) addAct(group, runs, name);
};

interface Options extends CustomerChoice, OperatorAct {
  readonly json?: true;
  /** Only for `lock-out`. */
  readonly resetFactors?: true;
}

/** Adds a command with the options that say who does this, to whom and why. */
function addCommand(group: Command, name: string, about: string) {
  return withOperatorAct(withCustomer(group.command(name).description(about))).option(
    "--json",
    "print the result as JSON",
  );
}

function addAct(group: Command, runs: Runs, name: ActName): void {
  const act = actOf(name);
  const command = addCommand(group, name, act.about);
  if (name === "lock-out")
    command.option("--reset-factors", "remove all second factors as well: they were on that phone");
  command.action(
    runs(
      ["database", "keys", ...(act.sendsNotices ? (["notices"] as const) : [])],
      (output, options: Options) =>
        onCustomer(output, options, async (deps, on) => {
          const actOptions = { withFactors: options.resetFactors === true };
          const done = act.sendsNotices
            ? await act.run({ ...deps, ...(await noticesOfCommands(deps.keyring)) }, on, actOptions)
            : await act.run(deps, on, actOptions);
          if (!("facts" in done)) throw new UsageError(REFUSED[done.kind]);
          const facts = { account: on.accountId ?? null, changed: done.kind === "done", ...done.facts };
          return { facts, notes: NOTES[name]?.(done) };
        }),
    ),
  );
}

const REFUSED = {
  "no-account": "this customer has no account",
  "locked-by-a-person": "this account is locked, not disabled or expired: use account unlock",
};

const NO_NEW_PHONE =
  "If a wrong number is in use already, correct it in the insurer's system, and import it with --phone-verified";

/** Hints after an act: what to do in addition, or instead. */
const NOTES: Partial<Record<ActName, (done: Extract<ActOutcome, { facts: object }>) => readonly string[]>> = {
  "lock-out": ({ counts: { passkeysLeft = 0 } }) => [
    ...(passkeysLeft > 0
      ? [
          "A passkey still signs in, also one on a lost phone that somebody can unlock: --reset-factors removes it",
        ]
      : []),
    "The next sign-in takes the password and a code. If somebody else may know the password: account disable",
  ],
  "reset-factors": ({ kind }) =>
    kind === "done"
      ? []
      : [
          "A lost phone: account lock-out. No code arrives: account show says why",
          "Another number: correct it in the insurer's system and import it, then account use-new-phone",
        ],
  "use-new-phone": ({ kind }) => (kind === "done" ? [] : [NO_NEW_PHONE]),
  "keep-old-phone": ({ kind }) => [
    kind === "done"
      ? "Correct the number in the insurer's system, too: the next import that lists the new one makes it wait again"
      : NO_NEW_PHONE,
  ],
};

function show(output: Output, options: Options): Promise<ExitCode> {
  return onCustomer(output, options, async (deps, on) => {
    const settings = environment();
    return { facts: await showAccount({ ...deps, smsPrefixes: settings.SMS_PREFIXES }, settings, on) };
  });
}

/** Chooses the customer, does the work and reports. */
function onCustomer(
  output: Output,
  options: Options,
  work: (
    deps: SupportDependencies,
    on: OnCustomer,
  ) => Promise<{ readonly facts: object; readonly notes?: readonly string[] | undefined }>,
): Promise<ExitCode> {
  const source = auditSource(options);
  return withDatabase("portal", async (store, keyring) => {
    const customer = await chooseCustomer({ store, keyring }, options, output.input);
    const deps = { store, keyring, limits: environment().limits, clock: systemClock };
    const { facts, notes } = await work(deps, { ...customer, source });
    report(output, options.json, facts, notes);
    return EXIT.done;
  });
}
