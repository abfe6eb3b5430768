// Without it: see passkeys.ts and passkey-sign-in.ts, which load it only once a passkey may be used.

/** The reasons that the form sends if there is no answer (contract/rules/field-rules.ts). */
type Fault = "cancelled" | "failed" | "known" | "unsupported";

const FAULTS: Readonly<Record<string, Fault>> = {
  AbortError: "cancelled",
  NotAllowedError: "cancelled",
  InvalidStateError: "known",
  NotSupportedError: "unsupported",
};

/** What the browser does with a passkey. `autofill`: it offers passkeys among a field's suggestions, and waits. */
type Use = "get" | "create" | "autofill";

/** Added to the server's timeout, in ms. */
const GRACE_MS = 5000;
/** The default of the server's timeout, in ms. */
const USUAL_TIMEOUT_MS = 300_000;

/**
 * Asks the browser to use a passkey, or to create one. Returns its answer as JSON, or the reason why there is none;
 * undefined once it is aborted.
 * @param form the use of a passkey (`passkey`) and the WebAuthn options as JSON
 * @param stop aborts; also aborted by the timeout. A password manager may ignore it
 */
export async function answerOf(
  { passkey, options = "{}" }: DOMStringMap,
  stop: AbortController,
): Promise<string | undefined> {
  if (stop.signal.aborted) return undefined;
  const { timeout } = JSON.parse(options) as { readonly timeout?: number };
  let late: ReturnType<typeof setTimeout> | undefined;
  const aborted = new Promise<string | undefined>((resolve) => {
    stop.signal.addEventListener("abort", () => {
      resolve(undefined);
    });
    // Suggestions in a field wait as long as their page.
    if (passkey === "autofill") return;
    late = setTimeout(
      () => {
        resolve("cancelled" satisfies Fault);
        stop.abort();
      },
      (timeout ?? USUAL_TIMEOUT_MS) + GRACE_MS,
    );
  });
  const answer = await Promise.race([
    aborted,
    ask(passkey === "create" || passkey === "autofill" ? passkey : "get", options, stop.signal),
  ]);
  clearTimeout(late);
  return answer;
}

/** A challenge for any passkey of the portal: WebAuthn's options as JSON, and until when it is fresh (ms). */
export interface Challenge {
  readonly options: string;
  readonly freshUntil: number;
}

/**
 * Lets the browser suggest passkeys in a field. Resolves to the answer of the chosen passkey; to undefined if it is
 * aborted, unsupported or failed. Browsers ignore the timeout here, so a stale challenge is replaced by a fresh one,
 * but only while the page is visible.
 */
export async function suggest(
  freshChallenge: () => Promise<Challenge | undefined>,
  { signal }: AbortController,
): Promise<string | undefined> {
  if (!(await canSuggest())) return undefined;
  for (;;) {
    const challenge = await freshChallenge();
    if (!challenge || signal.aborted) return undefined;
    const turn = new AbortController();
    const end = () => {
      turn.abort();
    };
    signal.addEventListener("abort", end);
    const forget = whenStale(challenge, end);
    const answer = await answerOf({ passkey: "autofill", options: challenge.options }, turn);
    forget();
    signal.removeEventListener("abort", end);
    if (answer !== undefined) return answer.startsWith("{") ? answer : undefined;
  }
}

async function canSuggest(): Promise<boolean> {
  try {
    return await PublicKeyCredential.isConditionalMediationAvailable();
  } catch {
    return false;
  }
}

/** Calls back once the challenge is stale and the page is visible. @returns stops waiting */
function whenStale({ freshUntil }: Challenge, renew: () => void): () => void {
  const look = () => {
    if (Date.now() >= freshUntil && !document.hidden) renew();
  };
  const timer = setTimeout(look, freshUntil - Date.now());
  document.addEventListener("visibilitychange", look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/**
 * Tells the device which passkeys the account has and what it is called now, so that it offers no removed ones (WebAuthn
 * L3 §5.1.10). Browsers without this, and failures, change nothing.
 */
export function tellDevice(known: string): void {
  const { rpId, user, credentialIds } = JSON.parse(known) as {
    readonly rpId: string;
    readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
    readonly credentialIds: readonly string[];
  };
  const ofUser = { rpId, userId: user.id };
  signal("signalAllAcceptedCredentials", { ...ofUser, allAcceptedCredentialIds: credentialIds });
  signal("signalCurrentUserDetails", { ...ofUser, name: user.name, displayName: user.displayName });
}

/** Tells the device that the passkey of an answer is unknown here, so that it stops offering it. */
export function tellUnknown({ options }: Challenge, answer: string): void {
  const { rpId } = JSON.parse(options) as { readonly rpId: string };
  const { id } = JSON.parse(answer) as { readonly id: string };
  signal("signalUnknownCredential", { rpId, credentialId: id });
}

function signal(
  name: "signalAllAcceptedCredentials" | "signalCurrentUserDetails" | "signalUnknownCredential",
  said: object,
): void {
  const device = PublicKeyCredential as unknown as Partial<
    Record<typeof name, (said: object) => Promise<void>>
  >;
  device[name]?.(said).catch(() => undefined);
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
          ...(use === "autofill" && { mediation: "conditional" }),
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

/** The answer as JSON, without fields that it lacks. */
function fieldByField(credential: Partial<PublicKeyCredential>): unknown {
  const { id, rawId, type, authenticatorAttachment } = credential;
  const response = credential.response as Answer | undefined;
  const binary = BINARY.map((name) => [name, base64Url(response?.[name])] as const);
  return {
    id,
    type,
    authenticatorAttachment,
    rawId: base64Url(rawId) ?? id,
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
    : startAuthentication({
        optionsJSON: JSON.parse(options) as Request,
        useBrowserAutofill: use === "autofill",
      });
}
