import type { ActName } from "~/backend/types";

/** The page of the chosen customer. */
export const CUSTOMER = "/help-desk/customer";
/** The acts that wait for a second person. */
export const WAITING = "/help-desk/waiting";

/** The page of an act. */
export function actPath(act: ActName): string {
  return `/help-desk/act/${act}`;
}
