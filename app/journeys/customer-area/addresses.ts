/** The address of My Policies. */
export const POLICIES = "/cp";
/** The address of My Data. */
export const PROFILE = "/cp/profile";

/** The address for customers who don't recognise an event. */
export const NOT_ME = "/cp/not-me";

/** The ids of the parts that open on the page. */
export const ACTIVITY_ID = "activity";
export const FACTORS_ID = "factors";
export const DEVICES_ID = "devices";
export const SESSIONS_ID = "sessions";

/** The address of the activity: all of it, or the newest events. */
export function activityAddress(all: boolean): string {
  return `${PROFILE}${all ? "?activity=all" : ""}#${ACTIVITY_ID}`;
}

/** Whether a request is for all activity. */
export function asksForAllActivity({ url }: Request): boolean {
  return new URL(url).searchParams.get("activity") === "all";
}
