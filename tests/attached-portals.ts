import { freePort } from "./portal-process";
import { startPortal, type Portal } from "./portal";

/** A portal that has another one for its backend. To a visitor, and to a test, it is a portal like any other. */
export interface AttachedPortal extends Portal {
  /** The other one, whose embedded backend does the work and whose outbox has the messages. */
  readonly backend: Portal;
}

/** What the two are started with. */
export interface AttachedOptions {
  /** What customers see. */
  readonly publicOrigin?: string;
  /** What the backend takes for what customers see: its cookies are named by it. */
  readonly backendOrigin?: string;
  /** More variables of both. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts a portal with an embedded backend, and one before it that knows that backend by `BACKEND_URL` only.
 * @throws Error with what either has written, when it does not start
 */
export async function startAttachedPortal({
  publicOrigin,
  backendOrigin,
  env = {},
}: AttachedOptions = {}): Promise<AttachedPortal> {
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const backend = await startPortal({
    port,
    ...(backendOrigin !== undefined && { publicOrigin: backendOrigin }),
    env: { ...env, TRUSTED_PROXIES: "127.0.0.1", BACKEND_HOSTS: host },
  });
  const front = await startPortal({
    ...(publicOrigin !== undefined && { publicOrigin }),
    env: { ...env, BACKEND_URL: `http://${host}` },
  }).catch(async (error: unknown) => {
    await backend.stop();
    throw error;
  });
  const { outbox, messagesTo, lastCode } = backend;
  return {
    ...front,
    outbox,
    messagesTo,
    lastCode,
    backend,
    stop: async (signal) => {
      const exit = await front.stop(signal);
      await backend.stop();
      return exit;
    },
  };
}
