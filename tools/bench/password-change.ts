import { hash, verify } from "@node-rs/argon2";
import { HashQueue } from "~/backend/secrets/passwords.server";
import { LIMITS } from "~/platform/config/limits";
import { freshCustomer } from "../../tests/demo-customers";
import { register } from "../../tests/new-account";
import { outboxAt } from "../../tests/portal";
import type { Visitor } from "../../tests/visitor";
import type { Thoroughness } from "./bench";
import { RATES_LIFTED } from "./looseness";
import { percentile } from "./percentile";
import { startPortal, withDataDir } from "./portal";
import type { Running } from "./process";
import type { Row } from "./row";

const MOST_OF_FLOOR = 1.3;

/**
 * A signed-in customer saves a new password on the screen. The floor is the argon2id work this requires: one hash
 * and a comparison with each previous password. The two take turns.
 */
export async function benchPasswordChange({ quick }: Thoroughness): Promise<readonly Row[]> {
  const changes = quick ? 10 : 40;
  return withDataDir(async (dataDir) => {
    const portal = await startPortal(dataDir, RATES_LIFTED);
    const customer = await signedInCustomer(portal);
    for (let nth = 0; nth < LIMITS.PASSWORD_HISTORY; nth += 1) await customer.changePassword();
    const floor = await bareHistory();
    const measured: number[] = [];
    const floors: number[] = [];
    for (let nth = 0; nth < changes; nth += 1) {
      measured.push(await customer.changePassword());
      floors.push(await floor());
    }
    await portal.stop();
    return [
      {
        name: "change of password: POST /home/change-password",
        unit: "ms",
        measured: percentile(measured, 50),
        target: { of: "ratio", bound: "at most", value: MOST_OF_FLOOR },
        floor: {
          value: percentile(floors, 50),
          what: `argon2id alone: 1 made, ${LIMITS.PASSWORD_HISTORY} compared`,
        },
        note: `medians of ${changes}`,
      },
    ];
  });
}

interface Customer {
  /** Changes the password once; returns how long saving took, in ms. */
  changePassword(): Promise<number>;
}

async function signedInCustomer({ port }: Running): Promise<Customer> {
  const portal = { port, origin: `http://127.0.0.1:${port}`, ...outboxAt(port) };
  const { account, visitor } = await register(portal, freshCustomer(1));
  let nth = 0;
  return {
    async changePassword() {
      nth += 1;
      const password = `Zmienione-Haslo-${nth}`;
      await visitor.post("/home/change-password", { intent: "send-code" });
      return save(visitor, await portal.lastCode(account.phone), password);
    },
  };
}

async function save(visitor: Visitor, authorizationCode: string, password: string): Promise<number> {
  const fields = {
    intent: "confirm",
    authorizationCode,
    newPassword: password,
    newPasswordRepeat: password,
  };
  const began = performance.now();
  const answer = await visitor.post("/home/change-password", fields);
  const took = performance.now() - began;
  if (answer.header("Location") !== "/cp/profile") throw new Error(`password not changed: ${answer.status}`);
  return took;
}

/** Makes as many hashes as a change needs, as many at a time as the portal; returns how long it takes, in ms. */
async function bareHistory(): Promise<() => Promise<number>> {
  const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, secret: Buffer.alloc(32, 1) };
  const kept = await hash("Dobre-Haslo-2026", options);
  const queue = new HashQueue({ parallel: LIMITS.HASH_PARALLEL, waitMs: Infinity, places: 100, holdMs: 0 });
  return async () => {
    const began = performance.now();
    await Promise.all([
      queue.run(() => hash("Inne-Haslo-2026", options)),
      ...Array.from({ length: LIMITS.PASSWORD_HISTORY }, () =>
        queue.run(() => verify(kept, "Inne-Haslo-2026", options)),
      ),
    ]);
    return performance.now() - began;
  };
}
