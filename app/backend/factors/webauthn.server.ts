import { createPublicKey, type JsonWebKey } from "node:crypto";
import { z } from "zod";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { NewPasskey, PasskeyAnswer } from "~/contract/factors.server";
import type { RelyingParty } from "./relying-party.server";

/** Loaded with the first passkey: that takes 0.2 s, which a start and a command do without. */
async function library() {
  const [checks, helpers] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return { ...checks, ...helpers };
}

/** ES256, EdDSA, RS256: every device that browsers know has one of them (COSE algorithms). */
export const ALGORITHMS = [-7, -8, -257] as const;

/** WebAuthn's transports. */
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
/** A transport to an authenticator. */
export type Transport = (typeof TRANSPORTS)[number];

/** The known transports in a list that a browser has sent. */
export function knownTransports(sent: readonly string[]): readonly Transport[] {
  return TRANSPORTS.filter((name) => sent.includes(name));
}

/** A new passkey as its device describes it; only its challenge is not compared yet. */
export interface MadePasskey {
  readonly challenge: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly userVerified: boolean;
  readonly transports: readonly Transport[];
  /** Whether it signs in without a username; null if the browser didn't say (WebAuthn, `credProps`). */
  readonly discoverable: boolean | null;
  /** Whether its device may copy it to others. */
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  /** The model of its device or password manager; zeros if that stays unknown. */
  readonly aaguid: string;
}

/** WebAuthn's `credProps` extension, if the browser knows it. */
const credProps = z.object({ credProps: z.object({ rk: z.boolean() }) });

/**
 * Checks a new passkey: type, origin, relying party, flags, key and signature. Undefined if any is wrong, or if it comes
 * with a certificate, which was not requested.
 */
export async function checkNewPasskey(
  answer: NewPasskey,
  { id, origin }: RelyingParty,
): Promise<MadePasskey | undefined> {
  const { decodeAttestationObject, decodeClientDataJSON, isoBase64URL, ...checks } = await library();
  try {
    const statement = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject));
    const isSelfSigned = statement.get("fmt") === "packed" && !statement.get("attStmt").get("x5c");
    if (statement.get("fmt") !== "none" && !isSelfSigned) return undefined;
    const { verified, registrationInfo } = await checks.verifyRegistrationResponse({
      // The schema has checked the fields, and the library checks their contents.
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (verified) await refuseBrokenKey(registrationInfo.credential.publicKey);
    const { challenge } = decodeClientDataJSON(answer.response.clientDataJSON);
    if (!verified || registrationInfo.credential.id !== answer.id) return undefined;
    const { aaguid, credential, credentialBackedUp, credentialDeviceType, userVerified } = registrationInfo;
    const said = credProps.safeParse(answer.clientExtensionResults);
    return {
      challenge,
      credentialId: credential.id,
      publicKey: isoBase64URL.fromBuffer(credential.publicKey),
      counter: credential.counter,
      userVerified,
      transports: knownTransports(answer.response.transports ?? []),
      discoverable: said.data?.credProps.rk ?? null,
      backupEligible: credentialDeviceType === "multiDevice",
      backedUp: credentialBackedUp,
      aaguid,
    };
  } catch {
    // Cut CBOR, a key that no library knows, and the like.
    return undefined;
  }
}

/** How Node names the keys that we know, by what WebAuthn calls them (COSE): type and curve. */
const KEYS: Readonly<Record<string, (part: (label: number) => string) => JsonWebKey>> = {
  "2,1": (part) => ({ kty: "EC", crv: "P-256", x: part(-2), y: part(-3) }),
  "1,6": (part) => ({ kty: "OKP", crv: "Ed25519", x: part(-2) }),
  // An RSA key has no curve: its first part is the modulus.
  "3,": (part) => ({ kty: "RSA", n: part(-1), e: part(-2) }),
};
/** 65537, which all devices use. */
const RSA_EXPONENT = "AQAB";

/**
 * Without attestation this key has not been used yet. Check that it parses, or the customer could never sign in with it.
 * @throws Error if it doesn't
 */
async function refuseBrokenKey(publicKey: Uint8Array): Promise<void> {
  const { decodeCredentialPublicKey } = await library();
  const key = decodeCredentialPublicKey(publicKey as Uint8Array<ArrayBuffer>) as unknown as ReadonlyMap<
    number,
    unknown
  >;
  const part = (label: number) => {
    const value = key.get(label);
    return value instanceof Uint8Array ? Buffer.from(value).toString("base64url") : "";
  };
  const curve = key.get(-1);
  const jwk = KEYS[`${String(key.get(1))},${typeof curve === "number" ? curve : ""}`]?.(part);
  if (!jwk || (jwk.e !== undefined && jwk.e !== RSA_EXPONENT)) throw new Error("not a key that we know");
  createPublicKey({ key: jwk, format: "jwk" });
}

/** A passkey's verified assertion; only its challenge is not compared yet. */
export interface SignedAnswer {
  readonly counter: number;
  readonly userVerified: boolean;
  readonly backedUp: boolean;
}

/** A passkey as far as a check needs it. */
export interface KnownPasskey {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly userHandle: string;
}

/** Checks what a passkey has signed: type, origin, relying party, flags and signature. Undefined if any is wrong. */
export async function checkPasskeyAnswer(
  answer: PasskeyAnswer,
  { credentialId, publicKey, userHandle }: KnownPasskey,
  { id, origin }: RelyingParty,
): Promise<SignedAnswer | undefined> {
  const { isoBase64URL, verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      // A counter that runs back is logged, not refused: devices that share a passkey do that.
      credential: { id: credentialId, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
    });
    const { credentialBackedUp: backedUp, newCounter: counter, userVerified } = authenticationInfo;
    // Last, so that a wrong handle takes as long as a wrong signature.
    const handle = answer.response.userHandle;
    const isTheirs = !handle || handle === userHandle;
    return verified && isTheirs ? { counter, userVerified, backedUp } : undefined;
  } catch {
    return undefined;
  }
}

/** The challenge that an answer says it has signed; undefined if it can't be read. */
export async function challengeIn({ response }: PasskeyAnswer): Promise<string | undefined> {
  const { decodeClientDataJSON } = await library();
  try {
    const { challenge } = decodeClientDataJSON(response.clientDataJSON) as { readonly challenge?: unknown };
    return typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}
