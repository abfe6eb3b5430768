import type { Announced, Announcement, Maintenance } from "~/contract/announcements.server";
import { audit, type StaffSource } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import type { Reader, Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";

type Row = Tables["announcements"];

type AnnouncementDependencies = Pick<Dependencies, "store" | "clock">;

/** The announcement and the maintenance in the database; either may be over. */
export async function readAnnounced(reader: Reader): Promise<Announced> {
  const rows = await reader.selectFrom("announcements").selectAll().execute();
  const row = (kind: Row["kind"]) => rows.find((candidate) => candidate.kind === kind);
  const [announcement, maintenance] = [row("announcement"), row("maintenance")];
  return {
    announcement: announcement && {
      text: announcement.text_pl,
      textEn: announcement.text_en,
      until: announcement.ends_at,
    },
    maintenance: maintenance && { until: maintenance.ends_at },
  };
}

/** Reads the announcement and the maintenance that are not over. */
export async function currentAnnounced({ store, clock }: AnnouncementDependencies): Promise<Announced> {
  const { announcement, maintenance } = await readAnnounced(store.read);
  const unlessOver = <One extends Maintenance>(one: One | undefined) =>
    one && one.until > clock() ? one : undefined;
  return { announcement: unlessOver(announcement), maintenance: unlessOver(maintenance) };
}

/**
 * Shows an announcement on every page, in place of the previous one. The audit records it.
 * @returns false if it is the same announcement
 */
export function announce(
  { store, clock }: AnnouncementDependencies,
  source: StaffSource,
  { text, textEn, until }: Announcement,
): Promise<boolean> {
  const row: Row = { kind: "announcement", text_pl: text, text_en: textEn, ends_at: until };
  return store.write((tx) => put(tx, source, clock(), row));
}

/**
 * Closes the portal to customers, or changes when it reopens. The audit records it.
 * @returns false if nothing changes
 */
export function beginMaintenance(
  { store, clock }: AnnouncementDependencies,
  source: StaffSource,
  { until }: Maintenance,
): Promise<boolean> {
  const row: Row = { kind: "maintenance", text_pl: "", text_en: "", ends_at: until };
  return store.write((tx) => put(tx, source, clock(), row));
}

/** Ends an announcement or maintenance before its time. The audit records it. @returns false if none was running */
export function endAnnounced(
  { store, clock }: AnnouncementDependencies,
  source: StaffSource,
  kind: keyof Announced,
): Promise<boolean> {
  const now = clock();
  return store.write(async (tx) => {
    const ended = await tx
      .deleteFrom("announcements")
      .where("kind", "=", kind)
      .returning("ends_at")
      .executeTakeFirst();
    if (!ended || ended.ends_at <= now) return false;
    await audit(tx, source, now, { event: `${kind}-ended` });
    return true;
  });
}

async function put(tx: Tx, source: StaffSource, now: number, row: Row): Promise<boolean> {
  const before = await tx
    .selectFrom("announcements")
    .selectAll()
    .where("kind", "=", row.kind)
    .executeTakeFirst();
  if (before && isSame(before, row)) return false;
  const { kind, ...changed } = row;
  await tx
    .insertInto("announcements")
    .values(row)
    .onConflict((conflict) => conflict.column("kind").doUpdateSet(changed))
    .execute();
  await audit(tx, source, now, {
    event: kind === "announcement" ? "announcement-made" : "maintenance-begun",
  });
  return true;
}

function isSame(one: Row, other: Row): boolean {
  return one.text_pl === other.text_pl && one.text_en === other.text_en && one.ends_at === other.ends_at;
}
