import { SECOND } from "./clock.server";
import { answerTo } from "./http/answers.server";
import { openBackend, type Backend, type BackendOptions } from "./open-backend.server";
import { UNAVAILABLE } from "./outcome.server";
import { runRegularly } from "./run-regularly.server";
import { TablesNotReady } from "./store/require-tables.server";
import { reasonOf } from "./reason-of.server";

const LOOK_AGAIN_MS = 2 * SECOND;

/**
 * Opens the backend. If its tables are not ready, returns a backend that answers every call with 503, and that opens by
 * itself once an operator has run `portal migrate` (S117), or a restore has ended.
 * @param onWaiting called with the reason for waiting, in one line for operators, and again when the reason changes
 * @throws StartRefusal for any other reason
 */
export async function openBackendOrWait(
  options: BackendOptions,
  onWaiting: (reason: string) => void,
): Promise<Backend> {
  try {
    return await openBackend(options);
  } catch (error) {
    if (!(error instanceof TablesNotReady)) throw error;
    return waitingBackend(() => openBackend(options), onChange(onWaiting, error));
  }
}

/** Passes a reason on only if it has changed. */
function onChange(tell: (reason: string) => void, first: unknown): (error: unknown) => void {
  let told: string | undefined;
  const tellOnce = (error: unknown) => {
    const reason = reasonOf(error);
    if (reason !== told) tell(reason);
    told = reason;
  };
  tellOnce(first);
  return tellOnce;
}

function waitingBackend(open: () => Promise<Backend>, onError: (error: unknown) => void): Backend {
  let opened: Backend | undefined;
  const stopLooking = runRegularly({
    work: async () => {
      opened = await open();
      void stopLooking();
    },
    everyMs: LOOK_AGAIN_MS,
    onError,
  });
  return {
    handle: (call) => opened?.handle(call) ?? Promise.resolve(answerTo(UNAVAILABLE)),
    outbox: () => opened?.outbox() ?? Promise.resolve([]),
    ready: () => opened?.ready() ?? Promise.resolve(false),
    close: async () => {
      await stopLooking();
      await opened?.close();
    },
  };
}
