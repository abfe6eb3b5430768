import { z } from "zod";
import { type Announced, MOST_ANNOUNCEMENT, MOST_DAYS, readPlainLine } from "~/contract/announcements.server";
import { environment } from "~/platform/config/environment.server";
import { readSmallFile } from "~/platform/config/variable-values.server";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { log } from "~/platform/telemetry/log.server";
import { DAY, readMomentInPoland, SECOND } from "~/platform/time.server";
import { setAnnounced } from "~/front-door/context.server";

const line = z.string().transform((typed, context) => {
  const text = readPlainLine(typed, MOST_ANNOUNCEMENT);
  if (text !== undefined) return text;
  context.addIssue({
    code: "custom",
    message: `expected at most ${MOST_ANNOUNCEMENT} characters on one line`,
  });
  return z.NEVER;
});

const moment = (mostDays: number) =>
  z.string().transform((typed, context) => {
    const read = readMomentInPoland(typed);
    // A moment in the past is no mistake: the announcement is over.
    if (read !== undefined && read <= Date.now() + mostDays * DAY) return read;
    context.addIssue({
      code: "custom",
      message: `expected a moment such as 2026-11-27T06:00, at most ${mostDays} days ahead`,
    });
    return z.NEVER;
  });

/** The format of the file (docs/decisions/announcements.md). */
const content = z
  .strictObject({
    text: line.optional(),
    textEn: line.optional(),
    until: moment(MOST_DAYS.announcement).optional(),
    maintenanceUntil: moment(MOST_DAYS.maintenance).optional(),
  })
  .transform(({ text, textEn, until, maintenanceUntil }, context): Announced => {
    const maintenance = maintenanceUntil === undefined ? undefined : { until: maintenanceUntil };
    if (text !== undefined && textEn !== undefined && until !== undefined)
      return { announcement: { text, textEn, until }, maintenance };
    if (text === undefined && textEn === undefined && until === undefined) return { maintenance };
    context.addIssue({ code: "custom", message: "expected text, textEn and until, or none of them" });
    return z.NEVER;
  });

/** The content of a file, or why it can't be used, in words that quote nothing of it. */
type Reading = { readonly announced: Announced } | { readonly fault: string };

/** Reads the file. A missing one announces nothing. Never throws. */
function readFile(file: string): Reading {
  try {
    const read = content.safeParse(JSON.parse(readSmallFile(file)));
    if (read.success) return { announced: read.data };
    const [issue] = read.error.issues;
    return { fault: [...(issue?.path.slice(0, 1) ?? []), issue?.message ?? "unreadable"].join(": ") };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { announced: {} };
    return { fault: error instanceof SyntaxError ? "expected JSON" : "expected a file that can be read" };
  }
}

/**
 * Announces the content of `ANNOUNCEMENT_FILE`, if it is set: for a portal with an attached backend, which has no
 * database that operators could write to. Reads it now and every few seconds. A file that can't be understood
 * announces nothing, and is logged once.
 */
export function watchAnnouncementFile(): void {
  const { ANNOUNCEMENT_FILE: file, limits } = environment();
  if (file === undefined) return;
  let told: string | undefined;
  const look = () => {
    const reading = readFile(file);
    const fault = "fault" in reading ? reading.fault : undefined;
    if (fault !== undefined && fault !== told)
      log().warn({ event: "announcement-file-unusable", reason: fault }, "announcements");
    told = fault;
    setAnnounced("announced" in reading ? reading.announced : {});
  };
  look();
  keepAlive(
    "announcement file",
    () => setInterval(look, limits.ANNOUNCEMENT_SECONDS * SECOND),
    clearInterval,
  );
}
