import { startAttachedPortal } from "../attached-portals";
import type { DemoCustomer } from "../demo-customers";
import { customersOf } from "../new-account";
import { startPortal, type Portal, type PublicPortal } from "../portal";
import { startTopology } from "../topology/topology";

/**
 * How the portal is run: one process with its own backend, as `npm start` does; with a second portal as its backend,
 * over the network, as an insurer's own would be; or as operators run it, behind nginx with TLS.
 */
export type PortalSetup = "alone" | "attached" | "deployed";

/** A portal that the tests of a worker share. */
interface Shared<Kind extends PublicPortal> {
  readonly portal: Kind;
  readonly nextNewcomer: () => DemoCustomer;
}

/** The portals of a worker. Each starts when the first test asks for it. */
export interface Portals extends Readonly<Record<PortalSetup, () => Promise<Shared<PublicPortal>>>> {
  /** One process without a public origin, opened as localhost: passkeys need a name. */
  readonly localhost: () => Promise<Shared<Portal>>;
}

const ENV = { LIMIT_CODE_TRIES_PER_DAY: "100000" };

/** Portals that start when they are asked for, and what stops those that have. */
export function openPortals(): { readonly portals: Portals; readonly stop: () => Promise<void> } {
  const started: Promise<{ readonly portal: { readonly stop: () => Promise<unknown> } }>[] = [];
  const lazily = <Kind extends PublicPortal & { readonly stop: () => Promise<unknown> }>(
    start: () => Promise<Kind>,
  ) => {
    let shared: Promise<Shared<Kind>> | undefined;
    return () => {
      if (!shared) {
        shared = start().then((portal) => ({ portal, nextNewcomer: customersOf() }));
        started.push(shared);
      }
      return shared;
    };
  };
  return {
    portals: {
      alone: lazily(() => startPortal({ env: ENV })),
      attached: lazily(() => startAttachedPortal(ENV)),
      deployed: lazily(() => startTopology({ env: ENV })),
      localhost: lazily(async () => {
        const portal = await startPortal({ env: ENV });
        return { ...portal, origin: `http://localhost:${portal.port}` };
      }),
    },
    stop: async () => {
      for (const each of started) await (await each).portal.stop();
    },
  };
}
