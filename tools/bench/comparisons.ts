import { hash, verify } from "@node-rs/argon2";
import { HashQueue } from "~/backend/secrets/passwords.server";
import { LIMITS } from "~/platform/config/limits";

const PASSWORD = "Dobre-Haslo-2026";

/**
 * Compares a password as the portal does, as many at a time as it allows, without a database.
 * @param places how many may run and wait
 */
export async function makeComparison(places: number): Promise<() => Promise<unknown>> {
  const secret = Buffer.alloc(32, 1);
  const kept = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1, secret });
  const queue = new HashQueue({ parallel: LIMITS.HASH_PARALLEL, waitMs: Infinity, places, holdMs: 0 });
  return () => queue.run(() => verify(kept, PASSWORD, { secret }));
}
