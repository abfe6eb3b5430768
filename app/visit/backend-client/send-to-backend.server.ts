import { environment } from "~/platform/config/environment.server";
import { attachedBackend, type Send } from "./attached.server";

let attached: Send | undefined;

/** How calls reach the attached backend; undefined if the backend is in this process. */
export function attachedSend(): Send | undefined {
  const { BACKEND_URL, PUBLIC_ORIGIN, limits } = environment();
  if (BACKEND_URL === undefined) return undefined;
  return (attached ??= attachedBackend({
    url: BACKEND_URL,
    https: PUBLIC_ORIGIN?.startsWith("https:") === true,
    timeoutMs: limits.BACKEND_MS,
    answerBytes: limits.BACKEND_ANSWER_BYTES,
    documentPauseMs: limits.DOCUMENT_PAUSE_MS,
  }));
}
