/** A limit for tests that hang: on a machine whose cores are busy with something else, a wait may take this long. */
const PATIENCE_MS = 300_000;
const BETWEEN_LOOKS_MS = 40;

/** Looks repeatedly until there is a truthy value. */
export async function until<Value>(awaited: string, look: () => Promise<Value>): Promise<NonNullable<Value>> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`Waited ${PATIENCE_MS} ms for ${awaited}`);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  }
}
