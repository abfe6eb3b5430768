import type { Notice } from "~/visit/flow.server";

export const DEVICE_REMOVED: Notice = { kind: "success", texts: ["cp:result.device"] };
export const DEVICES_REMOVED: Notice = { kind: "success", texts: ["cp:result.devices"] };
export const SESSION_ENDED: Notice = { kind: "success", texts: ["cp:result.session"] };
export const OTHER_SESSIONS_ENDED: Notice = { kind: "success", texts: ["cp:result.otherSessions"] };
/** The session ended by itself, or in another window. */
export const SESSION_GONE: Notice = { kind: "info", texts: ["cp:result.sessionGone"] };
