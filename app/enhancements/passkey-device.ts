// Without it: see passkeys.ts, which loads it only for screens with a passkey.

/** The reasons that the form sends if there is no answer (contract/rules/field-rules.ts). */
type Fault = "cancelled" | "failed" | "known" | "unsupported";

const FAULTS: Readonly<Record<string, Fault>> = {
  AbortError: "cancelled",
  NotAllowedError: "cancelled",
  InvalidStateError: "known",
  NotSupportedError: "unsupported",
};

type Use = "get" | "create";

/** A device has this much more time than the server gives it, in ms. */
const GRACE_MS = 5000;
/** Where the server gives none, in ms. */
const USUAL_TIMEOUT_MS = 300_000;

/**
 * Asks the browser to use a passkey, or to create one. Returns its answer as JSON, or the reason why there is none;
 * undefined once it is given up.
 * @param form the form's use (`passkey`) and the WebAuthn options as JSON
 * @param stop gives up, also with the device's time; a password manager may not hear it
 */
export async function answerOf(
  { passkey, options = "{}" }: DOMStringMap,
  stop: AbortController,
): Promise<string | undefined> {
  const { timeout } = JSON.parse(options) as { readonly timeout?: number };
  let late: ReturnType<typeof setTimeout> | undefined;
  const givenUp = new Promise<string | undefined>((resolve) => {
    stop.signal.addEventListener("abort", () => {
      resolve(undefined);
    });
    late = setTimeout(
      () => {
        resolve("cancelled" satisfies Fault);
        stop.abort();
      },
      (timeout ?? USUAL_TIMEOUT_MS) + GRACE_MS,
    );
  });
  const answer = await Promise.race([
    givenUp,
    ask(passkey === "create" ? "create" : "get", options, stop.signal),
  ]);
  clearTimeout(late);
  return answer;
}

async function ask(use: Use, options: string, signal: AbortSignal): Promise<string> {
  if (!("credentials" in navigator) || !("PublicKeyCredential" in window))
    return "unsupported" satisfies Fault;
  try {
    const said = await (hasJson() ? askPlatform(use, options, signal) : askLibrary(use, options));
    return JSON.stringify(said);
  } catch (error) {
    return FAULTS[error instanceof Error ? error.name : ""] ?? "failed";
  }
}

/** Chrome 129, Firefox 119 and Safari 18.4 read and write JSON themselves. */
function hasJson(): boolean {
  return "parseCreationOptionsFromJSON" in PublicKeyCredential && "toJSON" in PublicKeyCredential.prototype;
}

async function askPlatform(use: Use, options: string, signal: AbortSignal): Promise<unknown> {
  const credential =
    use === "create"
      ? await navigator.credentials.create({
          signal,
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
            JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON,
          ),
        })
      : await navigator.credentials.get({
          signal,
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
            JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
          ),
        });
  return credential && jsonOf(credential as PublicKeyCredential);
}

/** A password manager may answer instead of the browser, with an object of its own, which can't write JSON. */
function jsonOf(credential: PublicKeyCredential): unknown {
  try {
    return credential.toJSON();
  } catch {
    return fieldByField(credential);
  }
}

/** The fields of answers whose value is binary. */
const BINARY = [
  "clientDataJSON",
  "attestationObject",
  "authenticatorData",
  "signature",
  "userHandle",
] as const;

type Answer = Partial<AuthenticatorAttestationResponse & AuthenticatorAssertionResponse>;

/** The answer as JSON, without what it doesn't have. */
function fieldByField(credential: Partial<PublicKeyCredential>): unknown {
  const { id, rawId, type, authenticatorAttachment } = credential;
  const response = credential.response as Answer | undefined;
  const binary = BINARY.map((name) => [name, base64Url(response?.[name])] as const);
  return {
    ...{ id, type, authenticatorAttachment, rawId: base64Url(rawId) ?? id },
    clientExtensionResults: credential.getClientExtensionResults?.() ?? {},
    response: { ...Object.fromEntries(binary), transports: response?.getTransports?.() },
  };
}

function base64Url(bytes: ArrayBuffer | null | undefined): string | undefined {
  if (!bytes) return undefined;
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function askLibrary(use: Use, options: string): Promise<unknown> {
  const { startAuthentication, startRegistration } = await import("@simplewebauthn/browser");
  type Creation = Parameters<typeof startRegistration>[0]["optionsJSON"];
  type Request = Parameters<typeof startAuthentication>[0]["optionsJSON"];
  return use === "create"
    ? startRegistration({ optionsJSON: JSON.parse(options) as Creation })
    : startAuthentication({ optionsJSON: JSON.parse(options) as Request });
}
