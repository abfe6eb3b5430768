import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { NewPasskey, PasskeyAnswer, RequestOptions } from "~/contract/factors.server";
import { CALLS, type CallResponse } from "~/contract/calls.server";
import type { Browser } from "./contract/browser";
import type { Way } from "./contract/way";
import type { RegisteredCustomer } from "./demo-customers";
import { proofBySms } from "./factor-steps";

type CreationOptions = CallResponse<"passkeyPrepare">["options"];

/** Bits of the flags in authenticator data (WebAuthn §6.1). */
const [PRESENT, VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, ATTESTED] = [0x01, 0x04, 0x08, 0x10, 0x40];
const NO_AAGUID = "00000000-0000-0000-0000-000000000000";

/** A test's changes to an honest answer. */
export interface Bent {
  readonly origin?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly rpId?: string;
  readonly counter?: number;
  readonly flags?: number;
  /** Null: the device says none. */
  readonly userHandle?: string | null;
}

/** What kind of device it is. */
interface Kind {
  readonly asksForPerson?: boolean;
  /** Whether its browser says that the passkey signs in without a username. Default: it doesn't say. */
  readonly discoverable?: boolean;
  /** Whether it copies its passkey to others. */
  readonly copies?: boolean;
  readonly aaguid?: string;
}

/** A device with one passkey, as a browser on a page of `origin` would use it. */
export class PasskeyDevice {
  readonly id = randomBytes(16).toString("base64url");
  /** The origin of the page. */
  readonly origin: string;
  readonly #kind: Kind;
  #key: KeyObject | undefined;
  #userHandle = "";
  #counter = 0;

  constructor(origin: string, kind: Kind = {}) {
    this.origin = origin;
    this.#kind = kind;
  }

  /** The result of `navigator.credentials.create()`. */
  make(options: CreationOptions, bent: Bent = {}): NewPasskey {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    this.#userHandle = options.user.id;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const id = Buffer.from(this.id, "base64url");
    const attested = Buffer.concat([
      Buffer.from((this.#kind.aaguid ?? NO_AAGUID).replaceAll("-", ""), "hex"),
      uint16(id.length),
      id,
      cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(Buffer.from(x, "base64url"))],
        [cborInt(-3), cborBytes(Buffer.from(y, "base64url"))],
      ]),
    ]);
    const data = this.#data({ rpId: options.rp.id ?? "", ...bent }, ATTESTED, attested);
    const attestation = cborMap([
      [cborText("fmt"), cborText("none")],
      [cborText("attStmt"), cborMap([])],
      [cborText("authData"), cborBytes(data)],
    ]);
    const { discoverable: rk } = this.#kind;
    const made = this.#credential({
      clientDataJSON: this.#clientData("webauthn.create", options.challenge, bent).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
    return rk === undefined ? made : { ...made, clientExtensionResults: { credProps: { rk } } };
  }

  /** The result of `navigator.credentials.get()`. */
  answer(options: RequestOptions, bent: Bent = {}): PasskeyAnswer {
    if (!this.#key) throw new Error("the device has no passkey yet");
    this.#counter += 1;
    const data = this.#data({ rpId: options.rpId ?? "", counter: this.#counter, ...bent }, 0);
    const client = this.#clientData("webauthn.get", options.challenge, bent);
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    return this.#credential({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.#key).toString("base64url"),
      userHandle: bent.userHandle === undefined ? this.#userHandle : bent.userHandle,
    });
  }

  #credential<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: "public-key", response, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, bent: Bent): Buffer {
    const said = { type, challenge, origin: this.origin, crossOrigin: false };
    const { origin, type: bentType, challenge: bentChallenge } = bent;
    return Buffer.from(
      JSON.stringify({
        ...said,
        ...(origin !== undefined && { origin }),
        ...(bentType !== undefined && { type: bentType }),
        ...(bentChallenge !== undefined && { challenge: bentChallenge }),
      }),
    );
  }

  #data({ rpId = "", counter = 0, flags }: Bent, more: number, attested = Buffer.alloc(0)): Buffer {
    const { asksForPerson = true, copies = false } = this.#kind;
    const usual = PRESENT | (asksForPerson ? VERIFIED : 0) | (copies ? BACKUP_ELIGIBLE | BACKED_UP : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([
      createHash("sha256").update(rpId).digest(),
      Buffer.from([(flags ?? usual) | more]),
      count,
      attested,
    ]);
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** The head of a CBOR item (RFC 8949 §3). */
function cborHead(major: number, value: number): Buffer {
  const first = major << 5;
  if (value < 24) return Buffer.from([first | value]);
  return value < 256
    ? Buffer.from([first | 24, value])
    : Buffer.concat([Buffer.from([first | 25]), uint16(value)]);
}

const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (value: Buffer) => Buffer.concat([cborHead(2, value.length), value]);
const cborText = (value: string) => Buffer.concat([cborHead(3, value.length), Buffer.from(value)]);
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);

/** The origin where passkeys work without a public origin. */
export const LOCALHOST = "http://localhost:3000";

/** The same backend, as a browser at localhost reaches it. */
export function atLocalhost(way: Way): Way {
  return {
    ...way,
    fetch: (path, init) => {
      const headers = new Headers(init?.headers);
      headers.set("Host", new URL(LOCALHOST).host);
      return way.fetch(path, { ...init, headers });
    },
    outbox: () => way.outbox(),
    close: () => way.close(),
  };
}

/** Adds a passkey in an active session, at localhost; a code by SMS proves it. */
export async function addPasskey(
  way: Way,
  browser: Browser,
  customer: RegisteredCustomer,
  name: string,
  device = new PasskeyDevice(LOCALHOST),
) {
  const local = browser.twin(atLocalhost(way));
  const prepared = await local.put("/cp/api/factors/passkey/prepare", await proofBySms(way, local, customer));
  const { id, options } = CALLS.passkeyPrepare.response.parse(prepared.body);
  const response = device.make(options);
  const added = await local.put("/cp/api/factors/passkey/confirm", { id, response, name });
  if (added.status !== 200) throw new Error(`answered ${added.status} ${JSON.stringify(added.body)}`);
  return { id, device, local };
}
