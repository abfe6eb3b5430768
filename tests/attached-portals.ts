import { freePort } from "./free-port";
import { startPortal, type Portal } from "./portal";

/** A portal whose backend is another portal. To visitors and tests it is a portal like any other. */
export interface AttachedPortal extends Portal {
  /** The other portal: its embedded backend does the work and its outbox has the messages. */
  readonly backend: Portal;
}

/**
 * Starts a portal with an embedded backend, and a second one that knows it only by `BACKEND_URL`.
 * @param env more environment variables for both
 * @throws Error with the output of the one that does not start
 */
export async function startAttachedPortal(
  env: Readonly<Record<string, string>> = {},
): Promise<AttachedPortal> {
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const own = { TRUSTED_PROXIES: "127.0.0.1", BACKEND_HOSTS: host };
  const backend = await startPortal({ port, env: { ...env, ...own } });
  const front = await startPortal({ env: { ...env, BACKEND_URL: `http://${host}` } }).catch(
    async (error: unknown) => {
      await backend.stop();
      throw error;
    },
  );
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
