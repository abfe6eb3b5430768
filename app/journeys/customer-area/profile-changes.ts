import type { Answer } from "~/contract/refusal.server";
import { problem } from "~/shell/problem";
import type { Notice } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";
import { DEVICES_ID, SESSIONS_ID } from "./addresses";
import { isId } from "./load-or-not-found";

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

/** The backend's answer to a button of My Data, and the notice that it leaves. */
interface Change {
  readonly answer: Answer<object>;
  readonly notice: Notice;
  /** The notice for a 404, if that means that the change has already been made. */
  readonly goneNotice?: Notice;
}

/** A posted form: its button, and the fields beside it. */
interface Posted {
  readonly intent: string;
  readonly posted: (field: string) => string;
}

/** Carries out a button of My Data: removes trusted devices, or ends sessions. */
export async function changeProfile(visit: Visit, form: Posted): Promise<Change> {
  const { backend } = visit;
  switch (form.intent) {
    case "revoke-all":
      return { answer: await backend.call("deleteTrustedDevices", {}), notice: DEVICES_REMOVED };
    case "end-session": {
      const id = postedId(form, "session");
      const answer = await backend.call("endSession", { id });
      return { answer, notice: SESSION_ENDED, goneNotice: SESSION_GONE };
    }
    case "end-other-sessions":
      return { answer: await backend.call("endOtherSessions", {}), notice: OTHER_SESSIONS_ENDED };
    default: {
      const id = postedId(form, "device");
      return { answer: await backend.call("deleteTrustedDevice", { id }), notice: DEVICE_REMOVED };
    }
  }
}

/** The posted id. Throws a 400 page if it can't be part of a path: that is no reason to sign the customer out. */
function postedId({ posted }: Posted, field: "device" | "session"): string {
  const id = posted(field);
  if (!isId(id)) throw problem(400);
  return id;
}
