import { beginningOfAudit, type Span, type Unreadable } from "~/backend/services/audit/events-between.server";
import type { Reader } from "~/backend/store/store.server";
import type { Limits } from "~/platform/config/limits";
import { DAY, zonedTimeInPoland } from "~/platform/time.server";

/** Sentences on the events of an asked time that are not known; none if all are. @param now ms */
export async function unknownEvents(
  db: Reader,
  { since, until }: Span,
  { now, unreadable }: { readonly now: number; readonly unreadable: Unreadable },
): Promise<readonly string[]> {
  const begins = await beginningOfAudit(db);
  return [
    ...(until > now ? ["The time is not over yet: counted until now."] : []),
    ...(begins === undefined ? ["The audit is empty."] : []),
    ...(begins !== undefined && begins > since
      ? [`The audit begins ${at(begins)}: of the time before, no event is known.`]
      : []),
    ...unreadable.map((archive) => `Events are missing, because an archive can't be read: ${archive}.`),
  ];
}

/** Likewise on what became of messages, which is deleted after some days. @param now ms */
export function unknownMessages(
  { since }: Span,
  { now, limits }: { readonly now: number; readonly limits: Pick<Limits, "MESSAGE_DAYS"> },
): readonly string[] {
  const { MESSAGE_DAYS } = limits;
  const from = now - MESSAGE_DAYS * DAY;
  return from > since
    ? [
        `What became of messages is kept for ${MESSAGE_DAYS} days (LIMIT_MESSAGE_DAYS): known from ${at(from)} on.`,
      ]
    : [];
}

/** The accounts registered before a moment (ms), without those that were erased since. */
export async function accountsBefore(db: Reader, until: number): Promise<number> {
  const row = await db
    .selectFrom("accounts")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("created_at", "<", until)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function at(time: number): string {
  return zonedTimeInPoland(new Date(time));
}
