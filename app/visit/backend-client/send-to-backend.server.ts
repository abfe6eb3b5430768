import { environment } from "~/platform/config/environment.server";
import { attachedBackend } from "./attached.server";
import type { Send } from "./backend-client.server";
import { embeddedBackend } from "./embedded.server";

let chosen: Send | undefined;

/** Sends a call to the backend of this portal: in process, or at `BACKEND_URL`. */
export const sendToBackend: Send = (call) => {
  chosen ??= choose();
  return chosen(call);
};

function choose(): Send {
  const { BACKEND_URL, PUBLIC_ORIGIN, limits } = environment();
  if (BACKEND_URL === undefined) return async (call) => (await embeddedBackend()).handle(call);
  return attachedBackend({
    url: BACKEND_URL,
    https: PUBLIC_ORIGIN?.startsWith("https:") === true,
    timeoutMs: limits.BACKEND_MS,
    answerBytes: limits.BACKEND_ANSWER_BYTES,
    documentPauseMs: limits.DOCUMENT_PAUSE_MS,
  });
}
