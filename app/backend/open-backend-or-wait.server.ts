import { SECOND } from "./clock.server";
import { cookiesAt, refusalOverHttp } from "./http.server";
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
    return waitingBackend(options, onChange(onWaiting, error));
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

function waitingBackend(options: BackendOptions, onError: (error: unknown) => void): Backend {
  let opened: Backend | undefined;
  const stopLooking = runRegularly({
    work: async () => {
      opened = await openBackend(options);
      void stopLooking();
    },
    everyMs: LOOK_AGAIN_MS,
    onError,
  });
  return {
    call: (...call) => opened?.call(...call) ?? Promise.resolve({ answer: UNAVAILABLE, cookies: [] }),
    handle: (call) => opened?.handle(call) ?? Promise.resolve(refusalOverHttp(UNAVAILABLE)),
    cookies: cookiesAt(options.publicOrigin),
    outbox: () => opened?.outbox() ?? Promise.resolve([]),
    ready: () => opened?.ready() ?? Promise.resolve(false),
    close: async () => {
      await stopLooking();
      await opened?.close();
    },
  };
}
