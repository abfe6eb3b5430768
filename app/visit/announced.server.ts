import type { Announced, Announcement } from "~/contract/announcements.server";
import type { RequestContext, RouteArgs } from "~/front-door/context.server";

let announced: Announced = {};

/**
 * Takes what operators have announced, as often as somebody looks. What says the same as before stays the same object,
 * so that kept pages are only dropped if they change.
 */
export function setAnnounced(next: Announced): void {
  if (JSON.stringify(next) !== JSON.stringify(announced)) announced = next;
}

/** The announcement that pages show now, if any. @param now ms since 1970 */
export function currentAnnouncement(now: number): Announcement | undefined {
  const { announcement } = announced;
  return announcement && announcement.until > now ? announcement : undefined;
}

/** When the maintenance ends that goes on now, in ms since 1970; undefined if there is none. */
export function maintenanceUntil(now: number): number | undefined {
  const { maintenance } = announced;
  return maintenance && maintenance.until > now ? maintenance.until : undefined;
}

/** What pages of the gallery show instead. */
const replaced = new WeakMap<RequestContext, { readonly announcement: Announcement | undefined }>();

/** Makes the page of this request show an announcement, or none, whatever operators say. */
export function replaceAnnouncement(context: RequestContext, announcement: Announcement | undefined): void {
  replaced.set(context, { announcement });
}

/** The announcement that the page of a request shows, if any. */
export function announcementOn({
  context: { incoming },
}: Pick<RouteArgs, "context">): Announcement | undefined {
  const instead = replaced.get(incoming);
  return instead ? instead.announcement : currentAnnouncement(incoming.receivedAt);
}
