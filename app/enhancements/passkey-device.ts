// Without it: see passkeys.ts, which loads it only for screens with a passkey.

/** The reasons that the form sends if there is no answer (forms/rules/field-rules.ts). */
type Fault = "cancelled" | "failed" | "known" | "unsupported";

const FAULTS: Readonly<Record<string, Fault>> = {
  AbortError: "cancelled",
  NotAllowedError: "cancelled",
  InvalidStateError: "known",
  NotSupportedError: "unsupported",
};

/**
 * Asks the browser to use a passkey, or to create one. Returns its answer as JSON, or the reason why there is none.
 * @param options the WebAuthn options as JSON
 */
export async function answerOf(use: "get" | "create", options: string): Promise<string> {
  if (!("credentials" in navigator) || !("PublicKeyCredential" in window))
    return "unsupported" satisfies Fault;
  try {
    const said = await (hasJson() ? askPlatform(use, options) : askLibrary(use, options));
    return JSON.stringify(said);
  } catch (error) {
    return FAULTS[error instanceof Error ? error.name : ""] ?? "failed";
  }
}

/** Chrome 129, Firefox 119 and Safari 18.4 read and write JSON themselves. */
function hasJson(): boolean {
  return "parseCreationOptionsFromJSON" in PublicKeyCredential && "toJSON" in PublicKeyCredential.prototype;
}

async function askPlatform(use: "get" | "create", options: string): Promise<unknown> {
  const credential =
    use === "create"
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
            JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON,
          ),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
            JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
          ),
        });
  // A password manager may answer instead of the browser, with an object of its own.
  return credential && "toJSON" in credential ? (credential as PublicKeyCredential).toJSON() : credential;
}

async function askLibrary(use: "get" | "create", options: string): Promise<unknown> {
  const { startAuthentication, startRegistration } = await import("@simplewebauthn/browser");
  type Creation = Parameters<typeof startRegistration>[0]["optionsJSON"];
  type Request = Parameters<typeof startAuthentication>[0]["optionsJSON"];
  return use === "create"
    ? startRegistration({ optionsJSON: JSON.parse(options) as Creation })
    : startAuthentication({ optionsJSON: JSON.parse(options) as Request });
}
