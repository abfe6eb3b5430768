import { createHash } from "node:crypto";
import { EncryptJWT, jwtDecrypt, type JWTPayload } from "jose";

/** The key of one kind of cookie. */
export interface SealedFor {
  /** What it is for: another use has another key. */
  readonly use: string;
  /** The first seals, any of them opens. */
  readonly secrets: readonly string[];
  /** It opens only for this browser, session or person. */
  readonly of: string;
}

/**
 * Seals what a browser keeps for us, so that it can neither read nor change it (JWE, A256GCM).
 * @param until in ms since 1970
 */
export function sealPayload(sealed: SealedFor, payload: JWTPayload, until: number): Promise<string> {
  const [secret = ""] = sealed.secrets;
  return new EncryptJWT(payload)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setExpirationTime(Math.floor(until / 1000))
    .encrypt(keyFrom(sealed, secret));
}

/**
 * Reverses `sealPayload`; undefined if it is forged, expired, or was sealed for something else.
 * @param now in ms since 1970
 */
export async function openPayload(
  sealed: SealedFor,
  text: string,
  now: number,
): Promise<JWTPayload | undefined> {
  const options = { keyManagementAlgorithms: ["dir"], currentDate: new Date(now) };
  for (const secret of sealed.secrets) {
    try {
      return (await jwtDecrypt(text, keyFrom(sealed, secret), options)).payload;
    } catch {
      // Not sealed with this key, or expired: the next one may open it.
    }
  }
  return undefined;
}

function keyFrom({ use, of }: SealedFor, secret: string): Uint8Array {
  return createHash("sha256")
    .update(JSON.stringify([use, secret, of]))
    .digest();
}
