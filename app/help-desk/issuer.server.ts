import { decodeProtectedHeader } from "jose";
import * as client from "openid-client";
import { readPlainLine } from "~/contract/announcements.server";
import type { Environment } from "~/platform/config/environment.server";
import {
  type ClientSettings,
  comparedIn,
  differentIssuers,
  discoverIssuer,
  faultOf,
  IssuerFault,
} from "~/platform/network/issuer.server";
import type { Log } from "~/platform/telemetry/log.server";
import { type Clock, HOUR, SECOND } from "~/platform/time.server";
import type { Content } from "./cookies.server";
import type { Staff } from "./screen";
import { CLOCKS_DIFFER_MS, SIGN_ON } from "./session.server";

/** The callback (redirect URI) of the sign-on. */
export const CALLBACK_PATH = `${SIGN_ON}/answer`;
/** The redirect URI after a sign-out at the issuer. */
export const SIGNED_OUT = "/help-desk/signed-out";

/** The issuer must sign its ID tokens with one of these. */
const ALGORITHMS: readonly unknown[] = ["RS256", "PS256", "ES256"];
/** The scopes for `sub`, the name and the e-mail address. Roles come with the client, as the issuer is set up. */
const SCOPE = "openid profile email";
/** The scope for the phone number. Not every issuer has it, and some refuse an unknown scope. */
const PHONE_SCOPE = "phone";
const MOST_CHARACTERS = 100;
/** OpenID Connect Core §2. */
const LONGEST_SUB = 255;
/** The longest e-mail address (RFC 5321). The session's cookie holds it. */
const LONGEST_CONTACT = 254;
/** A text that is a list of roles: words between single commas or spaces. */
const WORDS = /^[\w.:-]+(?:[ ,][\w.:-]+)*$/;
/** The form of error codes that the log may keep: any client can send any text. */
const FAULT = /^[\w.-]{1,80}$/;

/** A sign-on under way. */
export type SignOnAttempt = Content<"sign-on">;

/** The result of a sign-on. */
export type IssuerResult =
  | { readonly kind: "signed-on"; readonly staff: Staff }
  /** Known to the issuer, but without a role here. */
  | {
      readonly kind: "no-role";
      readonly person: Pick<Staff, "sub" | "name">;
      readonly fault: "no-role" | "no-roles-claim";
    }
  /** The callback belongs to an older attempt, or its code was used before. */
  | { readonly kind: "stale"; readonly fault: string }
  | { readonly kind: "refused"; readonly fault: string; readonly advice?: string }
  | { readonly kind: IssuerFault["kind"] };

/** The settings of an issuer. */
export type IssuerSettings = ClientSettings &
  Pick<
    Environment,
    "HELP_DESK_ACT" | "HELP_DESK_LOOK" | "HELP_DESK_NAME_CLAIM" | "HELP_DESK_ORIGIN" | "HELP_DESK_ROLES_CLAIM"
  >;

/** The insurer's own sign-on: OpenID Connect, with the code flow (docs/decisions/help-desk.md). */
export class Issuer {
  readonly #settings: IssuerSettings;
  readonly #clock: Clock;
  readonly #log: Log;
  #cached: { readonly at: number; readonly found: ReturnType<typeof discoverIssuer> } | undefined;
  #origins: readonly string[];

  constructor(settings: IssuerSettings, clock: Clock, log: Log) {
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
    this.#origins = [new URL(settings.HELP_DESK_ISSUER ?? "").origin];
    // The pages of sessions that outlived the process before name its origins, too.
    void this.#configuration();
  }

  /** The origins that forms may lead to by a redirect: browsers check those, too (CSP `form-action`). */
  get origins(): readonly string[] {
    return this.#origins;
  }

  /**
   * Begins a sign-on.
   * @param maxAge how old the issuer's proof may be (s); undefined for any age
   * @param isAgain whether this browser has just begun one whose answer was stale
   * @returns the issuer's address to go to, or why there is none
   */
  async begin(
    back: string,
    maxAge: number | undefined,
    isAgain: boolean,
  ): Promise<{ readonly attempt: SignOnAttempt; readonly address: string } | IssuerFault> {
    const configuration = await this.#configuration();
    if (configuration instanceof IssuerFault) return configuration;
    const hasPhone = configuration.serverMetadata().scopes_supported?.includes(PHONE_SCOPE) === true;
    const attempt: SignOnAttempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      back,
      ...(isAgain && { isAgain }),
      ...(maxAge !== undefined && { maxAge }),
    };
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#here(CALLBACK_PATH),
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
   * Handles the callback: fetches and checks the ID token.
   * @param attempt undefined if this browser has started none, or its cookie has expired
   * @param query the callback's query, with its `?`
   */
  async finish(attempt: SignOnAttempt | undefined, query: string): Promise<IssuerResult> {
    if (attempt === undefined) return { kind: "stale", fault: "no-attempt" };
    if (new URLSearchParams(query).get("state") !== attempt.state) return { kind: "stale", fault: "state" };
    const configuration = await this.#configuration();
    if (configuration instanceof IssuerFault) return configuration;
    try {
      // The library takes the redirect's address from here, so it must be ours whatever the Host says.
      const address = new URL(this.#here(CALLBACK_PATH) + query);
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
      const fault = faultOf(error);
      if (!fault) return this.#refusal(error);
      // Its cached configuration may be outdated.
      this.#cached = undefined;
      return this.#report(fault);
    }
  }

  #refusal(error: unknown): IssuerResult {
    const fault = faultCodeOf(error);
    if (fault === "invalid_grant") return { kind: "stale", fault };
    const { header, alg, claim, claims } = comparedIn(error);
    if (header !== undefined || alg !== undefined) return { kind: "refused", fault: "algorithm" };
    if (claim !== "iss") return { kind: "refused", fault };
    const differ = differentIssuers((claims as { iss?: unknown }).iss, this.#settings.HELP_DESK_ISSUER ?? "");
    const advice = `in its ID token ${differ}: write the name that its configuration and its tokens share`;
    return { kind: "refused", fault: "issuer", advice };
  }

  /**
   * The address at which people sign out of the issuer, too; undefined if it has none or can't be reached. The library
   * adds the client. We keep no ID token to send along, so the issuer may ask the person first.
   */
  async signOutAddress(): Promise<string | undefined> {
    const configuration = await this.#configuration();
    if (configuration instanceof IssuerFault) return undefined;
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    return client.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: this.#here(SIGNED_OUT),
    }).href;
  }

  #person(claims: Readonly<Record<string, unknown>>): IssuerResult {
    const { HELP_DESK_ACT, HELP_DESK_LOOK, HELP_DESK_NAME_CLAIM, HELP_DESK_ROLES_CLAIM } = this.#settings;
    const { azp, iat, email, phone_number: phone, auth_time: provenAt } = claims;
    // The library compares `azp` only beside several audiences, and doesn't look at `iat`.
    if (azp !== undefined && azp !== this.#settings.HELP_DESK_CLIENT_ID)
      return { kind: "refused", fault: "azp" };
    if (Number(iat) * SECOND > this.#clock() + CLOCKS_DIFFER_MS) return { kind: "refused", fault: "iat" };
    const contact = (claim: unknown) => readPlainLine(text(claim) ?? "", LONGEST_CONTACT);
    const sub = readPlainLine(text(claims["sub"]) ?? "", LONGEST_SUB);
    if (sub === undefined) return { kind: "refused", fault: "subject" };
    const name = readPlainLine(text(claims[HELP_DESK_NAME_CLAIM]) ?? "", MOST_CHARACTERS) ?? sub;
    const person = { sub, name };
    const roles = rolesIn(claims, HELP_DESK_ROLES_CLAIM);
    if (!roles) return { kind: "no-role", person, fault: "no-roles-claim" };
    const mayAct = roles.includes(HELP_DESK_ACT);
    if (!mayAct && !roles.includes(HELP_DESK_LOOK)) return { kind: "no-role", person, fault: "no-role" };
    // No proof is of the future, whatever the issuer's clock or unit.
    const signedOnAt = typeof provenAt === "number" ? Math.min(provenAt * SECOND, this.#clock()) : 0;
    return {
      kind: "signed-on",
      staff: { ...person, mayAct, signedOnAt, email: contact(email), phone: contact(phone) },
    };
  }

  /** The issuer's configuration, fetched again after an hour and after a fault. */
  async #configuration(): Promise<client.Configuration | IssuerFault> {
    const now = this.#clock();
    const isFresh = this.#cached !== undefined && now - this.#cached.at < HOUR;
    const known = isFresh && this.#cached ? this.#cached : { at: now, found: this.#discover() };
    this.#cached = known;
    const found = await known.found;
    // Several calls may await the same fetch; don't drop a newer one.
    if (found instanceof IssuerFault && this.#cached === known) this.#cached = undefined;
    return found;
  }

  async #discover(): Promise<client.Configuration | IssuerFault> {
    const found = await discoverIssuer(this.#settings);
    if (found instanceof IssuerFault) return this.#report(found);
    const { authorization_endpoint: there, end_session_endpoint: out } = found.serverMetadata();
    const addresses = [this.#settings.HELP_DESK_ISSUER, there, out].filter(
      (address) => address !== undefined,
    );
    this.#origins = [...new Set(addresses.map((address) => new URL(address).origin))];
    return found;
  }

  #report(fault: IssuerFault): IssuerFault {
    const { kind, code, advice } = fault;
    const what = kind === "unusable" ? "answers, but not usably" : "doesn't answer";
    this.#log.warn({ event: `issuer-${kind}`, reason: code }, `HELP_DESK_ISSUER ${what}: ${advice}`);
    return fault;
  }

  #here(path: string): string {
    return `${this.#settings.HELP_DESK_ORIGIN ?? ""}${path}`;
  }
}

/**
 * The roles in a claim: a list, or one text. A claim of that very name goes before a path, such as `realm_access.roles`.
 * Undefined if there is no such claim.
 */
function rolesIn(claims: Readonly<Record<string, unknown>>, name: string): readonly unknown[] | undefined {
  const within = (at: unknown, step: string): unknown =>
    typeof at === "object" && at !== null && Object.hasOwn(at, step)
      ? (at as Record<string, unknown>)[step]
      : undefined;
  const found = within(claims, name) ?? name.split(".").reduce(within, claims);
  if (typeof found === "string") return WORDS.test(found) ? found.split(/[ ,]/) : [found];
  return Array.isArray(found) ? found : undefined;
}

function text(claim: unknown): string | undefined {
  return typeof claim === "string" ? claim : undefined;
}

/** The error's code for the log. */
function faultCodeOf(error: unknown): string {
  const words =
    error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError
      ? error.error
      : error instanceof Error && "code" in error && error.code;
  return typeof words === "string" && FAULT.test(words) ? words : "answer";
}
