import { z } from "zod";
import { type Announced, MOST_ANNOUNCEMENT, MOST_DAYS, readPlainLine } from "~/contract/announcements.server";
import { environment } from "~/platform/config/environment.server";
import { readSmallFile } from "~/platform/config/variable-values.server";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { log } from "~/platform/telemetry/log.server";
import { DAY, readMomentInPoland, SECOND } from "~/platform/time.server";
import { setAnnounced } from "~/server/front-door/context.server";

const line = z
  .string()
  .transform((typed) => readPlainLine(typed, MOST_ANNOUNCEMENT))
  .refine((text) => text !== undefined, `expected at most ${MOST_ANNOUNCEMENT} characters on one line`);

/** A moment in the past is no mistake: the announcement is over. */
const moment = (mostDays: number) =>
  z
    .string()
    .transform((typed) => readMomentInPoland(typed))
    .refine(
      (read) => read !== undefined && read <= Date.now() + mostDays * DAY,
      `expected a moment such as 2026-11-27T06:00, at most ${mostDays} days ahead`,
    );

/** The format of the file (docs/decisions/small.md#announcements). */
const content = z
  .strictObject({
    text: line.optional(),
    textEn: line.optional(),
    until: moment(MOST_DAYS.announcement).optional(),
    maintenanceUntil: moment(MOST_DAYS.maintenance).optional(),
  })
  .refine(
    ({ text, textEn, until }) =>
      (text === undefined) === (until === undefined) && (textEn === undefined) === (until === undefined),
    "expected text, textEn and until, or none of them",
  );

/** Reads the file. A missing one announces nothing. @returns why it can't be used, without quoting its content */
function readFile(file: string): Announced | string {
  try {
    const { data, error } = content.safeParse(JSON.parse(readSmallFile(file)));
    const [issue] = error?.issues ?? [];
    if (!data) return [...(issue?.path.slice(0, 1) ?? []), issue?.message ?? "unreadable"].join(": ");
    const { text, textEn, until, maintenanceUntil } = data;
    return {
      announcement:
        text !== undefined && textEn !== undefined && until !== undefined
          ? { text, textEn, until }
          : undefined,
      maintenance: maintenanceUntil === undefined ? undefined : { until: maintenanceUntil },
    };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    return error instanceof SyntaxError ? "expected JSON" : "expected a file that can be read";
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
  let lastFault: string | undefined;
  const look = () => {
    const read = readFile(file);
    const fault = typeof read === "string" ? read : undefined;
    if (fault !== undefined && fault !== lastFault)
      log().warn({ event: "announcement-file-unusable", reason: fault }, "announcements");
    lastFault = fault;
    setAnnounced(typeof read === "string" ? {} : read);
  };
  look();
  keepAlive(
    "announcement file",
    () => setInterval(look, limits.ANNOUNCEMENT_SECONDS * SECOND),
    clearInterval,
  );
}
