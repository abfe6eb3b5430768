import * as client from "openid-client";
import type { Environment } from "../config/environment.server";
import { fetchOutside } from "./forward-proxy.server";

/** How long one answer of the issuer may take. The library's own 30 s are longer than a person waits. */
const PATIENCE_S = 5;

/** Node's codes for a certificate whose authority this machine doesn't know. */
const UNKNOWN_AUTHORITY = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED)/;
/** All of Node's codes for TLS that fails. */
const TLS = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_|ERR_SSL_|EPROTO)/;
/** The library's codes for an answer that it can't read, whatever it was asked. */
const UNREADABLE: ReadonlySet<string> = new Set([
  "OAUTH_PARSE_ERROR",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
]);
/** An issuer's name as a line of the log may show it. */
const SHOWN = /^[!-~]{1,100}$/;

/** The settings of an issuer's client. */
export type ClientSettings = Pick<
  Environment,
  "PORTAL_MODE" | "HELP_DESK_CLIENT_ID" | "HELP_DESK_CLIENT_SECRET" | "HELP_DESK_ISSUER"
>;

/** Why an issuer can't be used: it gives no answer, or none that can be used. */
export class IssuerFault {
  readonly kind: "unreachable" | "unusable";
  /** Node's or the library's. */
  readonly code: string;
  /** What to do. */
  readonly advice: string;

  constructor(kind: IssuerFault["kind"], code: string, advice: string) {
    this.kind = kind;
    this.code = code;
    this.advice = advice;
  }
}

/** Asks an issuer for its configuration. The issuer is one: it names itself as HELP_DESK_ISSUER does, letter for letter. */
export async function discoverIssuer(
  settings: ClientSettings,
  fetch: client.CustomFetch = (url, init) => fetchOutside(url, init as RequestInit),
): Promise<client.Configuration | IssuerFault> {
  const { PORTAL_MODE, HELP_DESK_ISSUER = "", HELP_DESK_CLIENT_ID = "-" } = settings;
  const isDemo = PORTAL_MODE === "demo";
  try {
    const configuration = await client.discovery(
      new URL(HELP_DESK_ISSUER),
      HELP_DESK_CLIENT_ID,
      undefined,
      authenticationWith(settings.HELP_DESK_CLIENT_SECRET),
      {
        timeout: PATIENCE_S,
        [client.customFetch]: fetch,
        // Its signature, too, which TLS to the issuer would let us leave out.
        execute: [client.enableNonRepudiationChecks, ...(isDemo ? [client.allowInsecureRequests] : [])],
      },
    );
    return problemIn(configuration.serverMetadata(), HELP_DESK_ISSUER, isDemo) ?? configuration;
  } catch (error) {
    const { attribute, body } = comparedIn(error);
    if (attribute === "issuer") return otherIssuer((body as { issuer?: unknown }).issuer, HELP_DESK_ISSUER);
    return faultOf(error) ?? unusable(codeOf(error) ?? "answer");
  }
}

/** The issuer's fault in an error of the library; undefined if its answer could be read, whatever it said. */
export function faultOf(error: unknown): IssuerFault | undefined {
  const code = codeOf(error) ?? "";
  if (TLS.test(code))
    return new IssuerFault(
      "unusable",
      code,
      UNKNOWN_AUTHORITY.test(code)
        ? "this machine doesn't know the authority of its certificate: name its file in NODE_EXTRA_CA_CERTS"
        : "its certificate isn't good: see its name, its days and this machine's clock",
    );
  if (UNREADABLE.has(code)) return unusable(code);
  // Node's fetch says so with a cause, the library with a code.
  const isUnanswered = error instanceof TypeError && error.cause !== undefined && !("code" in error);
  if (!isUnanswered && code !== "OAUTH_TIMEOUT") return undefined;
  return new IssuerFault("unreachable", code || "fetch", "see whether this machine reaches it and its keys");
}

/** The facts at the end of an error's causes: what the library compared. */
export function comparedIn(error: unknown): Readonly<Record<string, unknown>> {
  let end = error;
  while (end instanceof Error) end = end.cause;
  return typeof end === "object" && end !== null ? (end as Record<string, unknown>) : {};
}

/** Names two different issuers, for the log. */
export function differentIssuers(found: unknown, expected: string): string {
  const named = typeof found === "string" && SHOWN.test(found) ? found : "something that is no address";
  return `it names itself ${named}, and HELP_DESK_ISSUER is ${expected}`;
}

function otherIssuer(found: unknown, expected: string): IssuerFault {
  const advice = String(found).includes("{tenantid}")
    ? "that is an address for many tenants: write your own tenant's"
    : "write the first, letter for letter, if it is yours";
  const code = "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED";
  return new IssuerFault("unusable", code, `${differentIssuers(found, expected)}: ${advice}`);
}

function unusable(code: string): IssuerFault {
  return new IssuerFault(
    "unusable",
    code,
    "see its answer at /.well-known/openid-configuration, and its log",
  );
}

/** A fault in a configuration that the library takes. */
function problemIn(found: client.ServerMetadata, expected: string, isDemo: boolean): IssuerFault | undefined {
  // The library looks past a slash at the end, and past whole issuers at Microsoft's hosts.
  if (found.issuer !== expected) return otherIssuer(found.issuer, expected);
  const isAddress = (text: unknown) =>
    typeof text === "string" && URL.canParse(text) && (isDemo ? /^https?:/ : /^https:/).test(text);
  const { authorization_endpoint, token_endpoint, jwks_uri, end_session_endpoint: out } = found;
  const isWhole =
    [authorization_endpoint, token_endpoint, jwks_uri].every(isAddress) &&
    (out === undefined || isAddress(out));
  return isWhole ? undefined : unusable("OAUTH_INVALID_SERVER_METADATA");
}

/** The client's secret goes in a header, as every issuer should take it, or in the body if this one doesn't. */
function authenticationWith(secret: string | undefined): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (issuer, ...rest) => {
    const takesBasic = issuer.token_endpoint_auth_methods_supported?.includes("client_secret_basic") ?? true;
    (takesBasic ? basic : post)(issuer, ...rest);
  };
}

/** The code of an error or of its cause: Node's fetch wraps the real error. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if ("code" in at && typeof at.code === "string") return at.code;
  return undefined;
}
