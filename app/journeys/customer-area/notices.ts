import type { Notice } from "~/visit/flow.server";
import { DEVICES_ID, SESSIONS_ID } from "./profile-address";

export const DEVICE_REMOVED: Notice = { kind: "success", texts: ["cp:result.device"], opens: DEVICES_ID };
export const DEVICES_REMOVED: Notice = { kind: "success", texts: ["cp:result.devices"], opens: DEVICES_ID };
export const SESSION_ENDED: Notice = { kind: "success", texts: ["cp:result.session"], opens: SESSIONS_ID };
export const OTHER_SESSIONS_ENDED: Notice = {
  kind: "success",
  texts: ["cp:result.otherSessions"],
  opens: SESSIONS_ID,
};
/** The session ended by itself, or in another window. */
export const SESSION_GONE: Notice = { kind: "info", texts: ["cp:result.sessionGone"], opens: SESSIONS_ID };
