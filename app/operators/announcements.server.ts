import { Argument, type Command, type OptionValues } from "@commander-js/extra-typings";
import {
  announce,
  beginMaintenance,
  currentAnnounced,
  endAnnounced,
  withDatabase,
} from "~/backend/index.server";
import type { StaffSource } from "~/backend/types";
import { type Announced, MOST_ANNOUNCEMENT, MOST_DAYS } from "~/contract/announcements.server";
import { DAY, readMomentInPoland, systemClock } from "~/platform/time.server";
import { type AddCommands, EXIT, type ExitCode, type Output, report } from "./kit/command.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { auditSource, type OperatorAct, readWords } from "./kit/operator-act.server";

/** `announce`: puts an announcement above the content of every page. */
export const addAnnounce: AddCommands = (program, runs) => {
  withOptions(
    program
      .command("announce")
      .description("say something on every page, or show what is said (docs/operations/commands.md)")
      .addArgument(new Argument("[off]", "take the announcement back").choices(["off"] as const))
      .option("--text <text>", `what to say in Polish, at most ${MOST_ANNOUNCEMENT} characters`)
      .option("--text-en <text>", "the same in English"),
    "announcement",
  ).action(
    runs(["database", "keys"], (output, off, options) => {
      const isGiven = options.text !== undefined || options.textEn !== undefined;
      if (off !== undefined && isGiven) throw new UsageError("off takes no --text and no --text-en");
      return changeOrShow(output, "announcement", off ?? (isGiven ? "on" : undefined), options);
    }),
  );
};

/** `maintenance`: closes the portal to customers. */
export const addMaintenance: AddCommands = (program, runs) => {
  withOptions(
    program
      .command("maintenance")
      .description("close the portal to customers, or show whether it is (docs/operations/commands.md)")
      .addArgument(
        new Argument("[turn]", "close the portal, or open it again").choices(["on", "off"] as const),
      ),
    "maintenance",
  ).action(
    runs(["database", "keys"], (output, turn, options) => changeOrShow(output, "maintenance", turn, options)),
  );
};

interface Options extends OperatorAct {
  readonly text?: string | undefined;
  readonly textEn?: string | undefined;
  readonly until?: string | undefined;
  readonly json?: true | undefined;
}

/** Adds the common options. None is required: without any, the command only shows the current state. */
function withOptions<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
  kind: keyof Announced,
) {
  return command
    .option(
      "--until <moment>",
      `when it ends, such as 2026-11-27T06:00 in Poland, at most ${MOST_DAYS[kind]} days ahead`,
    )
    .option("--operator <name>", "who does this, for the audit")
    .option("--reason <text>", "why, such as the number of a change, for the audit")
    .option("--json", "print the result as JSON");
}

/** The portal's database, and the clock. */
type Deps = Parameters<typeof currentAnnounced>[0];

/** Begins or ends something. @returns whether it changed anything */
type Act = (deps: Deps, source: StaffSource) => Promise<boolean>;

async function changeOrShow(
  output: Output,
  kind: keyof Announced,
  turn: "on" | "off" | undefined,
  options: Options,
): Promise<ExitCode> {
  if (turn === undefined) {
    if (options.until ?? options.operator ?? options.reason)
      throw new UsageError(
        kind === "announcement" ? "--text: expected with the other options" : "expected on or off",
      );
    return withDatabase("portal", async (store) => {
      report(output, options.json, await currentFacts({ store, clock: systemClock }));
      return EXIT.done;
    });
  }
  if (turn === "off" && options.until !== undefined) throw new UsageError("off takes no --until");
  const act = turn === "off" ? ending(kind) : beginning(kind, options);
  const source = auditSource(options);
  return withDatabase("portal", async (store) => {
    const deps = { store, clock: systemClock };
    const changed = await act(deps, source);
    report(output, options.json, { changed, ...(await currentFacts(deps)) });
    return EXIT.done;
  });
}

function ending(kind: keyof Announced): Act {
  return (deps, source) => endAnnounced(deps, source, kind);
}

/** @throws UsageError if a text or the moment can't be announced to customers */
function beginning(kind: keyof Announced, { text, textEn, until: typed }: Options): Act {
  const until = readUntil(typed, MOST_DAYS[kind]);
  if (kind === "maintenance") return (deps, source) => beginMaintenance(deps, source, { until });
  const announcement = {
    text: readWords("--text", text, MOST_ANNOUNCEMENT),
    textEn: readWords("--text-en", textEn, MOST_ANNOUNCEMENT),
    until,
  };
  return (deps, source) => announce(deps, source, announcement);
}

function readUntil(typed: string | undefined, mostDays: number): number {
  const until = readMomentInPoland(typed ?? "");
  if (until === undefined)
    throw new UsageError(
      "--until: expected a moment such as 2026-11-27T06:00, in Polish time, or 2026-11-27T05:00Z; if clocks show it twice, with its offset",
    );
  const now = systemClock();
  if (until <= now || until > now + mostDays * DAY)
    throw new UsageError(`--until: expected a moment to come, at most ${mostDays} days from now`);
  return until;
}

/** The current announcement and maintenance, without any that is over. */
async function currentFacts(deps: Deps): Promise<object> {
  const { announcement, maintenance } = await currentAnnounced(deps);
  return { announcement: withDate(announcement), maintenance: withDate(maintenance) };
}

function withDate(announced: { readonly until: number } | undefined): object | null {
  return announced ? { ...announced, until: new Date(announced.until) } : null;
}
