import { premium, type Premium } from "~/contract/premium.server";
import { type Keyring, open, seal, versionOf } from "../secrets/keyring.server";
import type { Tables } from "../store/tables.server";

/** The part of a policy's row that its premium is read from. */
export type PremiumRow = Pick<Tables["policies"], "id" | "premium_sealed">;

const cellOf = (id: string) => ({ table: "policies", column: "premium_sealed", row: id }) as const;

/**
 * The premium of a policy; undefined if it has none.
 *
 * One that can't be opened is none either: 2026-11-27-3518647619b2 gave policies to other customers, at new ids, and left
 * the premiums of the old ones behind.
 */
export function premiumOf(keyring: Keyring, { id, premium_sealed: kept }: PremiumRow): Premium | undefined {
  if (kept === null) return undefined;
  try {
    return premium.parse(JSON.parse(open(keyring, cellOf(id), kept)));
  } catch {
    return undefined;
  }
}

/** Encrypts the premium of the policy with this id. */
export function sealPremium(keyring: Keyring, id: string, value: Premium | undefined): string | null {
  return value === undefined ? null : seal(keyring, cellOf(id), JSON.stringify(value));
}

/**
 * The premium sealed again with the current key, if an older one has sealed it (S84). One that its key doesn't open goes; one
 * whose key isn't here stays.
 */
export function rewrappedPremium(keyring: Keyring, row: PremiumRow): Partial<PremiumRow> {
  const { id, premium_sealed: kept } = row;
  if (kept === null) return {};
  const version = versionOf(kept);
  if (version === keyring.current || !keyring.versions.includes(version)) return {};
  return { premium_sealed: sealPremium(keyring, id, premiumOf(keyring, row)) };
}
