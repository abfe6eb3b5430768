/** The address of My Data. */
export const PROFILE = "/cp/profile";
/** The id of the activity on the page. */
export const ACTIVITY_ID = "activity";

/** The id of the second factors on the page. */
export const FACTORS_ID = "factors";

/** The address of the activity: all of it, or the newest events. */
export function activityAddress(all: boolean): string {
  return `${PROFILE}${all ? "?activity=all" : ""}#${ACTIVITY_ID}`;
}

/** Whether a request asks for all activity. */
export function asksForAllActivity({ url }: Request): boolean {
  return new URL(url).searchParams.get("activity") === "all";
}
