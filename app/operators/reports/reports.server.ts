import { Option } from "@commander-js/extra-typings";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { readMomentInPoland, systemClock } from "~/platform/time.server";
import type { Store } from "~/backend/store/store.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  inOneLine,
  jsonText,
  UsageError,
  type Output,
  report,
} from "../kit/command.server";
import { withPortalDatabase } from "../kit/portal-database.server";
import { incidentOf } from "./incident.server";
import { incidentInWords } from "./incident-in-words.server";
import { monthAsCsv, monthInWords } from "./month-formats.server";
import { reportOfMonth } from "./month-report.server";

const FORMATS = ["text", "csv", "json"] as const;

/** `report`: a month in figures. */
export const addReport: AddCommands = (program, runs) => {
  program
    .command("report")
    .description("a month in figures, by week, without names (docs/operations/commands.md)")
    .requiredOption("--month <month>", "the month, such as 2026-11")
    .addOption(new Option("--format <format>", "how it is written").choices(FORMATS).default("text" as const))
    .action(
      runs(["database", "keys"], (output, { month, format }) =>
        withPortalDatabase(async (store) => {
          const made = await reportOfMonth(sources(store), month);
          if (format === "csv") output.out.write(monthAsCsv(made));
          else if (format === "json") output.print(jsonText(made));
          else for (const line of monthInWords(made)) output.print(inOneLine(line));
          return endingOf(output, made);
        }),
      ),
    );
};

/** `incident`: what an incident's report asks of the insurer and the audit knows. */
export const addIncident: AddCommands = (program, runs) => {
  program
    .command("incident")
    .description(
      "the figures of an incident for the report to the supervisor, and how each was counted (docs/operations/commands.md)",
    )
    .requiredOption(
      "--from <time>",
      "when it began: a time in Poland, or one with an offset (2026-11-21T08:30Z)",
    )
    .requiredOption("--to <time>", "when it ended, likewise")
    .option("--json", "print the result as JSON")
    .action(
      runs(["database", "keys"], (output, { from, to, json }) => {
        const span = { since: readTime("--from", from), until: readTime("--to", to) };
        if (span.until <= span.since) throw new UsageError("--to: expected a time after --from");
        return withPortalDatabase(async (store) => {
          const made = await incidentOf(sources(store), span);
          report(output, json, made, incidentInWords(made));
          return endingOf(output, made);
        });
      }),
    );
};

function sources({ read }: Store) {
  const settings = environment();
  const { folder } = auditSettings(settings);
  return { db: read, folder, limits: settings.limits, now: systemClock() };
}

/** A figure that lacks an archive is too small: the exit code says so, too. */
function endingOf({ printError }: Output, { isIncomplete }: { readonly isIncomplete: boolean }): ExitCode {
  if (!isIncomplete) return EXIT.done;
  printError("portal: an archive of the audit can't be read, so figures are too small");
  return EXIT.problem;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day begins at midnight in Poland. */
function readTime(option: string, text: string): number {
  const moment = readMomentInPoland(DAY.test(text) ? `${text}T00:00` : text);
  if (moment === undefined)
    throw new UsageError(
      `${option}: expected a time in Poland such as 2026-11-21T08:30, or one with an offset`,
    );
  return moment;
}
