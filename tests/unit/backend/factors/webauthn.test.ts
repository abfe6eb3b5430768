import { describe, expect, it } from "vitest";
import { checkNewPasskey, checkPasskeyAnswer, challengeIn } from "~/backend/factors/webauthn.server";
import VECTORS from "./w3c-vectors.json";

/*
 * The vectors of W3C WebAuthn Level 3, "Test Vectors": made as its generator makes them, from the same seeds. Those with a
 * certificate have one of the same root; `withoutCertificate` is the same passkey without it.
 */

const RP = { id: "example.org", origin: "https://example.org" };
/** Vectors with an algorithm that the portal doesn't offer. */
const REFUSED: readonly string[] = ["packed.ES384"];
/** Vectors that were signed in a frame on another site. */
const FRAMED: readonly string[] = ["none.ES256.topOrigin"];

type Vector = (typeof VECTORS)[number];

const newPasskey = (
  { credentialId: id, registration }: Vector,
  attestationObject = registration.attestationObject,
) => ({
  id,
  rawId: id,
  type: "public-key",
  response: { ...registration, attestationObject },
  clientExtensionResults: {},
});

const answer = ({ credentialId: id, authentication }: Vector) => ({
  id,
  rawId: id,
  type: "public-key",
  response: authentication,
  clientExtensionResults: {},
});

describe.each(VECTORS.map((vector) => ({ ...vector, vector })))(
  "[S143] W3C's vector $name",
  ({ name, vector }) => {
    const plain = vector.withoutCertificate ?? vector.registration.attestationObject;

    it(REFUSED.includes(name) ? "is refused" : "makes a passkey, which then signs in", async () => {
      const made = await checkNewPasskey(newPasskey(vector, plain), RP);
      expect(made !== undefined).toBe(!REFUSED.includes(name));
      if (!made) return;
      const known = { credentialId: made.credentialId, publicKey: made.publicKey, userHandle: "" };
      const signed = await checkPasskeyAnswer(answer(vector), known, RP);
      if (FRAMED.includes(name)) {
        expect(signed).toBeUndefined();
        return;
      }
      expect(signed).toMatchObject({ counter: 0 });
      expect(await challengeIn(answer(vector))).toMatch(/^[\w-]{43}$/);
      const { authentication } = vector;
      const other = Buffer.from(authentication.signature, "base64url");
      other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
      const bent = {
        ...vector,
        authentication: { ...authentication, signature: other.toString("base64url") },
      };
      expect(await checkPasskeyAnswer(answer(bent), known, RP)).toBeUndefined();
    });

    it.runIf(vector.withoutCertificate !== undefined)("is refused with its certificate", async () => {
      expect(await checkNewPasskey(newPasskey(vector), RP)).toBeUndefined();
    });

    it("is refused for another origin or relying party, and cut anywhere", async () => {
      expect(
        await checkNewPasskey(newPasskey(vector, plain), { ...RP, origin: "https://example.com" }),
      ).toBeUndefined();
      expect(await checkNewPasskey(newPasskey(vector, plain), { ...RP, id: "example.com" })).toBeUndefined();
      for (let length = 0; length < plain.length; length += 7)
        expect(await checkNewPasskey(newPasskey(vector, plain.slice(0, length)), RP)).toBeUndefined();
    });
  },
);
