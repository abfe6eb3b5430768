import type { Limits } from "~/platform/config/limits";
import { TrustedProxies } from "~/platform/network/client-address";

/** How the environment configures the front door. */
export interface FrontDoorPolicy {
  /** The public origin (`https://portal.example`); without one, any well-formed Host is served, over http. */
  readonly publicOrigin: string | undefined;
  /** Hosts, with or without a port, that other portals use to call the API. */
  readonly backendHosts: readonly string[];
  /** Addresses and CIDR blocks whose X-Forwarded-For and X-Request-Id we trust. */
  readonly trustedProxies: readonly string[];
  readonly limits: Pick<
    Limits,
    | "ADDRESS_CHARACTERS"
    | "ADDRESS_CONNECTIONS"
    | "ADDRESS_SEGMENTS"
    | "API_BODY_BYTES"
    | "CONNECTIONS"
    | "DOCUMENT_BEHIND_MS"
    | "DOCUMENT_BYTES_PER_SECOND"
    | "FORM_BODY_BYTES"
    | "FIRST_HEAD_MS"
    | "HEADER_LINES"
    | "PIPELINED_REQUESTS"
    | "REQUEST_MS"
    | "STOP_IDLE_MS"
  >;
  /** The one address that may be longer than the others. */
  readonly longAddress?: LongAddress;
  /** The cookie with the language code. It is all that a rejection page may know about the visitor. */
  readonly languageCookie: string;
  /** Called for each rejection, for the log. The client can influence nothing in it but the address. */
  readonly onRejected?: (rejection: RejectionNotice) => void;
  /** Called for each connection that the front door closed because of a limit. */
  readonly onConnectionRefused?: (refusal: ConnectionRefusal) => void;
  /** Called for each request with forwarding headers from a peer that is not a trusted proxy. */
  readonly onUntrustedForward?: (peer: string) => void;
  /** Called for each finished request. */
  readonly onAnswered?: (answer: AnswerNotice) => void;
}

/** An address with a long query, such as an issuer's callback, and the maximum of its characters. */
export interface LongAddress {
  /** Its path, as it must arrive. */
  readonly path: string;
  readonly characters: number;
}

/** A finished request, answered or not. */
export interface AnswerNotice {
  readonly requestId: string;
  /** As it arrived. */
  readonly method: string;
  /** Path and query as the app saw them; for a rejected request, the rejection page's. Not for the log (S86). */
  readonly target: string;
  readonly status: number;
  /** Whether the visitor went away before the whole answer was written. */
  readonly gone: boolean;
  /** Counted from the arrival of its head. */
  readonly ms: number;
}

/** A rejection, as it may be logged (S93: no path, no header, no body). */
export interface RejectionNotice {
  readonly status: RejectionStatus;
  readonly reason: RejectionReason;
  readonly requestId: string;
  readonly clientAddress: string;
}

/** The limits on connections: open connections in all, those of one address, unanswered requests on one connection. */
export const CONNECTION_REFUSALS = ["all", "address", "pipelining"] as const;

/** A connection closed without an answer (S105). */
export interface ConnectionRefusal {
  readonly reason: (typeof CONNECTION_REFUSALS)[number];
  /** The peer's address: a client's, or that of a proxy in front of it. */
  readonly clientAddress: string;
}

/** The policy, with what is compiled once for all decisions. */
export interface FrontDoorRules extends FrontDoorPolicy {
  /** Hosts of pages, in lower case; undefined: any. */
  readonly pageHosts: ReadonlySet<string> | undefined;
  /** Hosts of the API, in lower case; undefined: any. */
  readonly apiHosts: ReadonlySet<string> | undefined;
  readonly proxies: TrustedProxies;
}

/**
 * Compiles a policy.
 * @throws Error when a trusted proxy is neither an address nor a CIDR block
 */
export function compilePolicy(policy: FrontDoorPolicy): FrontDoorRules {
  const pageHosts = policy.publicOrigin === undefined ? undefined : hostsOf(policy.publicOrigin);
  return {
    ...policy,
    pageHosts,
    apiHosts: pageHosts && new Set([...pageHosts, ...policy.backendHosts.map((host) => host.toLowerCase())]),
    proxies: new TrustedProxies(policy.trustedProxies),
  };
}

/** Both forms of an origin's host: with its default port and without. */
function hostsOf(origin: string): ReadonlySet<string> {
  const { host, port, protocol } = new URL(origin);
  const defaultPort = protocol === "https:" ? 443 : 80;
  return new Set(port === "" ? [host, `${host}:${defaultPort}`] : [host]);
}

export type RejectionStatus = 400 | 403 | 404 | 405 | 411 | 413 | 414 | 415 | 431;

/** Why a request was rejected: the reason in the log and the metric. */
export const REJECTION_REASONS = [
  "target",
  /** The address has more characters, or more segments, than any of ours. */
  "too-long",
  "too-deep",
  /** The head has more lines than any that we serve. */
  "too-many-headers",
  "host",
  "method",
  "route-data",
  "cross-site",
  "prefetch",
  "undeclared-length",
  "too-large",
  "content-encoding",
  "media-type",
  /** Node's parser can't read its head. */
  "unreadable",
  /** The decision itself failed: a bug. */
  "fault",
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];
