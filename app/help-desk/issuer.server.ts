import { decodeProtectedHeader } from "jose";
import * as client from "openid-client";
import { readPlainLine } from "~/contract/announcements.server";
import type { Environment } from "~/platform/config/environment.server";
import { counter } from "~/platform/telemetry/metrics.server";
import { type Clock, HOUR, SECOND } from "~/platform/time.server";
import type { Content } from "./cookies.server";
import type { Staff } from "./screen";
import { SIGN_ON } from "./session.server";

/** Where the issuer sends people back to. */
export const SIGN_ON_ANSWER = `${SIGN_ON}/answer`;
/** Where it sends them once they have signed out there. */
export const SIGNED_OUT = "/help-desk/signed-out";

/** The issuer must sign its ID tokens with one of these. */
const ALGORITHMS: readonly unknown[] = ["RS256", "PS256", "ES256"];
/** How long one answer of the issuer may take. The library's own 30 s are longer than a person waits. */
const PATIENCE_S = 5;
/** The scopes for `sub`, the name and the e-mail address. Roles come with the client, as the issuer is set up. */
const SCOPE = "openid profile email";
/** The scope for the phone number. Not every issuer has it, and some refuse one that they don't know. */
const PHONE_SCOPE = "phone";
const MOST_CHARACTERS = 100;
/** OpenID Connect Core §2. */
const LONGEST_SUB = 255;
/** The longest e-mail address (RFC 5321). The session's cookie holds it. */
const LONGEST_CONTACT = 254;
/** The errors of OAuth and of the library, as the log may keep them: anybody can send any. */
const FAULT = /^[\w.-]{1,80}$/;

const signOns = counter(
  { name: "portal_help_desk_sign_ons_total", help: "Sign-ons of staff at the issuer, by result" },
  { result: ["signed-on", "no-role", "refused", "unreachable"] },
);

/** A sign-on under way. */
export type SignOnAttempt = Content<"sign-on">;

/** The issuer's answer to a sign-on. */
export type SignOnAnswer =
  | { readonly kind: "signed-on"; readonly staff: Staff }
  /** Known to the issuer, but without a role here. */
  | { readonly kind: "no-role"; readonly person: Pick<Staff, "sub" | "name"> }
  | { readonly kind: "refused"; readonly fault: string }
  | { readonly kind: "unreachable" };

/** The settings of an issuer. */
export type IssuerSettings = Pick<
  Environment,
  | "PORTAL_MODE"
  | "HELP_DESK_ACT"
  | "HELP_DESK_CLIENT_ID"
  | "HELP_DESK_CLIENT_SECRET"
  | "HELP_DESK_ISSUER"
  | "HELP_DESK_LOOK"
  | "HELP_DESK_NAME_CLAIM"
  | "HELP_DESK_ORIGIN"
  | "HELP_DESK_ROLES_CLAIM"
>;

/** The insurer's own sign-on: OpenID Connect, with the code flow (docs/decisions/help-desk.md). */
export class Issuer {
  readonly #settings: IssuerSettings;
  readonly #clock: Clock;
  #known: { readonly at: number; readonly found: Promise<client.Configuration> } | undefined;
  #origins: readonly string[];

  constructor(settings: IssuerSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#origins = [new URL(settings.HELP_DESK_ISSUER ?? "").origin];
    // The pages of sessions that outlived the process before name its origins, too.
    void this.#reached();
  }

  /** The origins that forms may lead to by a redirect: browsers check those, too (CSP `form-action`). */
  get origins(): readonly string[] {
    return this.#origins;
  }

  /**
   * Begins a sign-on.
   * @param maxAge how old the issuer's proof may be (s); undefined for any age
   * @returns the issuer's address to go to; undefined if the issuer can't be reached
   */
  async begin(
    back: string,
    maxAge: number | undefined,
  ): Promise<{ readonly attempt: SignOnAttempt; readonly address: string } | undefined> {
    const configuration = await this.#reached();
    if (configuration === undefined) {
      signOns.inc({ result: "unreachable" });
      return undefined;
    }
    const hasPhone = configuration.serverMetadata().scopes_supported?.includes(PHONE_SCOPE) === true;
    const attempt: SignOnAttempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      back,
      ...(maxAge !== undefined && { maxAge }),
    };
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#here(SIGN_ON_ANSWER),
      scope: hasPhone ? `${SCOPE} ${PHONE_SCOPE}` : SCOPE,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: "S256",
      ...(maxAge !== undefined && { max_age: String(maxAge) }),
    });
    return { attempt, address: address.href };
  }

  /**
   * Reads the issuer's answer, and fetches and checks the ID token.
   * @param attempt undefined if this browser has begun none, or too long ago
   * @param query the answer's query, with its `?`
   */
  async answer(attempt: SignOnAttempt | undefined, query: string): Promise<SignOnAnswer> {
    const answer = await this.#answer(attempt, query);
    signOns.inc({ result: answer.kind });
    return answer;
  }

  async #answer(attempt: SignOnAttempt | undefined, query: string): Promise<SignOnAnswer> {
    if (attempt === undefined) return { kind: "refused", fault: "no-attempt" };
    const configuration = await this.#reached();
    if (configuration === undefined) return { kind: "unreachable" };
    try {
      // The library takes the redirect's address from here, so it must be ours whatever the Host says.
      const address = new URL(this.#here(SIGN_ON_ANSWER) + query);
      const tokens = await client.authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
        ...(attempt.maxAge !== undefined && { maxAge: attempt.maxAge }),
      });
      const { alg } = decodeProtectedHeader(tokens.id_token ?? "");
      const claims = tokens.claims();
      if (!claims || !ALGORITHMS.includes(alg)) return { kind: "refused", fault: "algorithm" };
      return this.#person(claims);
    } catch (error) {
      return isUnreachable(error) ? { kind: "unreachable" } : { kind: "refused", fault: faultOf(error) };
    }
  }

  /**
   * The address at which people sign out of the issuer, too; undefined if it has none or can't be reached. The library
   * adds the client. We keep no ID token to send along, so the issuer may ask the person first.
   */
  async signOutAddress(): Promise<string | undefined> {
    const configuration = await this.#reached();
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
    return client.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: this.#here(SIGNED_OUT),
    }).href;
  }

  #person(claims: Readonly<Record<string, unknown>>): SignOnAnswer {
    const { HELP_DESK_ACT, HELP_DESK_LOOK, HELP_DESK_NAME_CLAIM, HELP_DESK_ROLES_CLAIM } = this.#settings;
    const { email, phone_number: phone, auth_time: provenAt } = claims;
    const contact = (claim: unknown) => readPlainLine(text(claim) ?? "", LONGEST_CONTACT);
    const sub = readPlainLine(text(claims["sub"]) ?? "", LONGEST_SUB);
    if (sub === undefined) return { kind: "refused", fault: "subject" };
    const name = readPlainLine(text(claims[HELP_DESK_NAME_CLAIM]) ?? "", MOST_CHARACTERS) ?? sub;
    const person = { sub, name };
    const roles = [claims[HELP_DESK_ROLES_CLAIM]].flat();
    const mayAct = roles.includes(HELP_DESK_ACT);
    if (!mayAct && !roles.includes(HELP_DESK_LOOK)) return { kind: "no-role", person };
    // No proof is of the future, whatever the issuer's clock or unit.
    const signedOnAt = typeof provenAt === "number" ? Math.min(provenAt * SECOND, this.#clock()) : 0;
    return {
      kind: "signed-on",
      staff: { ...person, mayAct, signedOnAt, email: contact(email), phone: contact(phone) },
    };
  }

  /** The issuer's configuration, which is asked for again after an hour; undefined if it can't be reached. */
  async #reached(): Promise<client.Configuration | undefined> {
    const now = this.#clock();
    if (!this.#known || now - this.#known.at >= HOUR) this.#known = { at: now, found: this.#discover() };
    const { found } = this.#known;
    try {
      return await found;
    } catch {
      // The next one asks again.
      if (this.#known.found === found) this.#known = undefined;
      return undefined;
    }
  }

  async #discover(): Promise<client.Configuration> {
    const {
      PORTAL_MODE,
      HELP_DESK_ISSUER = "",
      HELP_DESK_CLIENT_ID = "",
      HELP_DESK_CLIENT_SECRET,
    } = this.#settings;
    const configuration = await client.discovery(
      new URL(HELP_DESK_ISSUER),
      HELP_DESK_CLIENT_ID,
      undefined,
      authenticationWith(HELP_DESK_CLIENT_SECRET),
      {
        timeout: PATIENCE_S,
        execute: [
          // Its signature, too, which TLS to the issuer would let us leave out.
          client.enableNonRepudiationChecks,
          ...(PORTAL_MODE === "demo" ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    const { authorization_endpoint: there, end_session_endpoint: out } = configuration.serverMetadata();
    const addresses = [HELP_DESK_ISSUER, there, out].filter((address) => address !== undefined);
    this.#origins = [...new Set(addresses.map((address) => new URL(address).origin))];
    return configuration;
  }

  #here(path: string): string {
    return `${this.#settings.HELP_DESK_ORIGIN ?? ""}${path}`;
  }
}

/** The client's secret goes in a header, as every issuer should take it, or in the body if this one doesn't. */
function authenticationWith(secret: string | undefined): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (issuer, ...rest) => {
    const takesBasic = issuer.token_endpoint_auth_methods_supported?.includes("client_secret_basic") ?? true;
    (takesBasic ? basic : post)(issuer, ...rest);
  };
}

function text(claim: unknown): string | undefined {
  return typeof claim === "string" ? claim : undefined;
}

/** Whether the issuer gave no answer: Node's fetch says so with a cause, the library with a code. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof client.ClientError) return error.code === "OAUTH_TIMEOUT";
  return error instanceof TypeError && error.cause !== undefined && !("code" in error);
}

/** What is wrong with the issuer's answer, in one word for the log. */
function faultOf(error: unknown): string {
  const words =
    error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError
      ? error.error
      : error instanceof Error && "code" in error && error.code;
  return typeof words === "string" && FAULT.test(words) ? words : "answer";
}
