import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { text } from "node:stream/consumers";
import type { Configuration } from "oidc-provider";
import { vi } from "vitest";
import { atEndOfFile } from "../../end-of-file";
import { freePort } from "../../free-port";
import { madeOnce } from "../../made-once";

const ending = new Set<() => void>();
atEndOfFile("issuers", () => {
  for (const end of ending) end();
  ending.clear();
  return Promise.resolve();
});

export const CLIENT = { id: "portal-help-desk", secret: "Rk7vQ2mZ9xWc4LpT" };

/** The variables of a help desk at this issuer. */
export function withIssuer(issuer: string): Record<string, string> {
  return {
    HELP_DESK_ISSUER: issuer,
    HELP_DESK_CLIENT_ID: CLIENT.id,
    HELP_DESK_CLIENT_SECRET: CLIENT.secret,
  };
}

/** An account at the issuer. */
export interface Account {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** An issuer of somebody else's make. */
export interface Issuer {
  readonly issuer: string;
  /** Who signs in next; the issuer asks nothing. Undefined: they refuse. */
  account: Account | undefined;
  /** How long ago they gave their password to the issuer (s). */
  provenAgo: number;
}

const keyOf = madeOnce(async () => {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "one" };
});

/** Starts oidc-provider on this machine, for a help desk at this origin. */
export async function startIssuer(helpDesk: string): Promise<Issuer> {
  // It warns of this machine's Node, and of its store, which lasts as long as a test.
  const warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { Provider } = await import("oidc-provider");
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const served: Issuer = { issuer, account: undefined, provenAgo: 0 };
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${helpDesk}/help-desk/sign-on/answer`],
        post_logout_redirect_uris: [`${helpDesk}/help-desk/signed-out`],
      },
    ],
    jwks: { keys: [await keyOf()] },
    cookies: { keys: ["for these tests only"] },
    claims: {
      openid: ["sub", "roles"],
      profile: ["preferred_username"],
      email: ["email"],
      phone: ["phone_number"],
    },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...served.account, sub }) }),
  };
  const provider = new Provider(issuer, configuration);
  warnings.mockRestore();
  const answer = provider.callback();
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const details = await provider.interactionDetails(request, response);
    const { account, provenAgo } = served;
    if (account === undefined) {
      await provider.interactionFinished(request, response, { error: "access_denied" });
      return;
    }
    const grant = new provider.Grant({ accountId: account.sub, clientId: CLIENT.id });
    grant.addOIDCScope("openid profile email phone");
    await provider.interactionFinished(request, response, {
      login: {
        accountId: account.sub,
        ts: Math.floor(Date.now() / 1000) - (details.prompt.reasons.includes("max_age") ? 0 : provenAgo),
      },
      consent: { grantId: await grant.save() },
    });
  };
  listen(port, (request, response) => {
    if (request.url?.startsWith("/interaction/")) void interact(request, response);
    else void answer(request, response);
  });
  return served;
}

/** What is wrong with a false issuer's ID token. */
export interface Falsehood {
  readonly claims?: JWTPayload;
  /** It signs with this algorithm instead of RS256. */
  readonly alg?: string;
  /** It signs with a key that it doesn't publish. */
  readonly unknownKey?: boolean;
}

/** An issuer of ours, whose ID tokens can be false. It sends everybody back at once. */
export interface FalseIssuer {
  readonly issuer: string;
  falsehood: Falsehood;
  /** The `iss` of its answers. */
  iss: string | undefined;
  /** What its answers say. */
  says: Readonly<Record<string, string>>;
  /** What its configuration says otherwise. */
  configuration: Readonly<Record<string, unknown>>;
  /** Other answers, by path. */
  readonly instead: Map<string, Instead>;
  /** How often its configuration was asked for. */
  asked: number;
}

/** An answer that isn't as OpenID Connect says; `cut` ends the connection. */
export type Instead = { readonly status: number; readonly type?: string; readonly body?: string } | "cut";

const BY_SECRET = new TextEncoder().encode(CLIENT.secret.repeat(2));
const pairOf = (alg: string) => generateKeyPair(alg, { extractable: true });
/** A key pair for each algorithm, and one that it doesn't publish. */
const falseKeys = madeOnce(async () => {
  const algorithms = ["RS256", "PS256", "ES256", "ES384"];
  const pairs = await Promise.all(algorithms.map(async (alg) => [alg, await pairOf(alg)] as const));
  return { keys: new Map(pairs), unknown: await pairOf("RS256") };
});

/** Starts a false issuer on this machine. */
export async function startFalseIssuer(given?: number): Promise<FalseIssuer> {
  const port = given ?? (await freePort());
  const issuer = `http://127.0.0.1:${port}`;
  const served: FalseIssuer = {
    issuer,
    falsehood: {},
    iss: issuer,
    says: { code: "one" },
    configuration: {},
    instead: new Map(),
    asked: 0,
  };
  const { keys, unknown } = await falseKeys();
  let nonce: string | null = null;
  const answers: Readonly<Record<string, (url: URL) => object | Promise<object>>> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: "https://sign-out.example/",
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: [...keys.keys(), "HS256"],
      ...served.configuration,
    }),
    "/jwks": async () => ({
      keys: await Promise.all(
        [...keys].map(async ([alg, { publicKey }]) => ({
          ...(await exportJWK(publicKey)),
          alg,
          kid: alg,
          use: "sig",
        })),
      ),
    }),
    "/token": async () => {
      const { claims, alg = "RS256", unknownKey } = served.falsehood;
      const now = Math.floor(Date.now() / 1000);
      const key = unknownKey ? unknown.privateKey : (keys.get(alg)?.privateKey ?? BY_SECRET);
      const payload = {
        iss: issuer,
        aud: CLIENT.id,
        sub: "7",
        nonce,
        iat: now,
        exp: now + 60,
        auth_time: now,
        roles: ["portal-act"],
        preferred_username: "anna",
        ...claims,
      };
      return {
        access_token: "unused",
        token_type: "Bearer",
        id_token: await new SignJWT(payload).setProtectedHeader({ alg, kid: alg }).sign(key),
      };
    },
  };
  listen(port, (request, response) => {
    const url = new URL(request.url ?? "", issuer);
    if (url.pathname.startsWith("/.well-known/")) served.asked += 1;
    const instead = served.instead.get(url.pathname);
    if (instead === "cut") {
      request.socket.destroy();
      return;
    }
    if (instead) {
      const type = instead.type ?? "application/json";
      response.writeHead(instead.status, { "Content-Type": type }).end(instead.body ?? "{}");
      return;
    }
    if (url.pathname === "/authorize") {
      nonce = url.searchParams.get("nonce");
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      for (const [name, value] of Object.entries(served.says)) back.searchParams.set(name, value);
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      if (served.iss !== undefined) back.searchParams.set("iss", served.iss);
      response.writeHead(303, { Location: back.href }).end();
      return;
    }
    void text(request).then(async () => {
      const answer = await answers[url.pathname]?.(url);
      response
        .writeHead(answer ? 200 : 404, { "Content-Type": "application/json" })
        .end(JSON.stringify(answer ?? {}));
    });
  });
  return served;
}

function listen(port: number, answer: (request: IncomingMessage, response: ServerResponse) => void): void {
  const server = createServer(answer).listen(port, "127.0.0.1");
  ending.add(() => {
    server.close();
    server.closeAllConnections();
  });
}
