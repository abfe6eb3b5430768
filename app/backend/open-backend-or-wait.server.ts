import { SECOND } from "./clock.server";
import { answerTo } from "./http/answers.server";
import { openBackend, type Backend, type BackendOptions } from "./open-backend.server";
import { UNAVAILABLE } from "./outcome.server";
import { runRegularly } from "./run-regularly.server";
import { TablesOutdated } from "./store/require-tables.server";

const LOOK_AGAIN_MS = 2 * SECOND;

/** Who is told while a backend waits for its tables. */
interface Waiting {
  /** Why it waits, for operators; once. */
  readonly onWaiting: (reason: string) => void;
  /** The tables are there, but the backend still can't be opened. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * Opens the backend. If its tables are outdated, this returns at once with one that is not ready and answers every call
 * with 503; it opens by itself after an operator has run `portal migrate` (S117).
 * @throws StartRefusal for any other reason
 */
export async function openBackendOrWait(options: BackendOptions, waiting: Waiting): Promise<Backend> {
  try {
    return await openBackend(options);
  } catch (error) {
    if (!(error instanceof TablesOutdated)) throw error;
    waiting.onWaiting(error.message);
    return waitingBackend(() => openBackend(options), waiting);
  }
}

function waitingBackend(open: () => Promise<Backend>, { onFailed }: Waiting): Backend {
  let opened: Backend | undefined;
  const stopLooking = runRegularly({
    work: async () => {
      opened = await open();
      void stopLooking();
    },
    everyMs: LOOK_AGAIN_MS,
    onError: (error) => {
      if (!(error instanceof TablesOutdated)) onFailed(error);
    },
  });
  return {
    handle: (request) => opened?.handle(request) ?? Promise.resolve(answerTo(UNAVAILABLE)),
    outbox: () => opened?.outbox() ?? Promise.resolve([]),
    ready: () => opened?.ready() ?? Promise.resolve(false),
    close: async () => {
      await stopLooking();
      await opened?.close();
    },
  };
}
