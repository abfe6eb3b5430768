/** One header, and why it is there. */
interface SecurityHeader {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

/** Features that no screen uses; what is embedded or injected can't use them either. */
const UNUSED_FEATURES = [
  "accelerometer",
  "autoplay",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "screen-wake-lock",
  "usb",
  "xr-spatial-tracking",
];

/** On every answer, whatever its kind and status (S54). */
export const SECURITY_HEADERS: readonly SecurityHeader[] = [
  {
    name: "X-Content-Type-Options",
    value: "nosniff",
    why: "A file is what its type says, so that no upload or error text is ever run as a script.",
  },
  {
    name: "Referrer-Policy",
    value: "same-origin",
    why: "Other sites never learn an address of ours. `no-referrer` would make browsers send `Origin: null` with forms.",
  },
  {
    name: "Cross-Origin-Opener-Policy",
    value: "same-origin",
    why: "A page that opened us, or that we opened, gets no handle on our window.",
  },
  {
    name: "Cross-Origin-Resource-Policy",
    value: "same-origin",
    why: "No other site can load our answers into its process (Spectre).",
  },
  {
    name: "Cross-Origin-Embedder-Policy",
    value: "require-corp",
    why: "Nothing foreign is embedded here unless it agrees; there is nothing foreign.",
  },
  {
    name: "Origin-Agent-Cluster",
    value: "?1",
    why: "Asks for a process of our own, apart from sister hosts of the same domain.",
  },
  { name: "X-Frame-Options", value: "DENY", why: "Click-jacking, for browsers without frame-ancestors." },
  {
    name: "Permissions-Policy",
    value: UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", "),
    why: "What we never use can't be abused.",
  },
];

/** Only where customers come by https: over http it is ignored, and on a shared localhost it would lock others out. */
export const TRANSPORT_SECURITY: SecurityHeader = {
  name: "Strict-Transport-Security",
  value: "max-age=63072000; includeSubDomains",
  why: "For two years a browser comes by https only, even when a link or an attacker says http (S54: at least one).",
};

/** Names of libraries, for nobody's use: browsers read none of these with the data format that is switched on (S72). */
export const LIBRARY_HEADERS: readonly string[] = [
  "X-Powered-By",
  "Server",
  "X-Remix-Response",
  "X-Remix-Catch",
  "X-Remix-Error",
];

/** No frame may hold it: the mark by which a policy of ours is told from one that a library made up. */
const NO_FRAMES = "frame-ancestors 'none'";

/** The policy of everything that is no document: it loads nothing, runs nothing, goes nowhere. */
export const STATIC_CSP = `default-src 'none'; base-uri 'none'; form-action 'none'; ${NO_FRAMES}`;

/** What a document's policy depends on. */
export interface DocumentCsp {
  /** Of this one answer; without one, no script runs. */
  readonly nonce?: string;
  /** Hashes of the inlined styles: `sha256-…`. */
  readonly styleHashes: readonly string[];
  /** Whether customers come by https. */
  readonly https: boolean;
}

/**
 * The policy of one document (S51). `'self'` beside the nonce is for browsers without `'strict-dynamic'`, which
 * ignore it; the others ignore `'self'`.
 */
export function documentCsp({ nonce, styleHashes, https }: DocumentCsp): string {
  const styles = styleHashes.map((hash) => ` '${hash}'`).join("");
  const scripts = nonce === undefined ? "'none'" : `'self' 'nonce-${nonce}' 'strict-dynamic'`;
  return (
    `default-src 'none'; script-src ${scripts}; style-src 'self'${styles}; img-src 'self'; font-src 'self'; ` +
    `connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; ${NO_FRAMES}` +
    (https ? "; upgrade-insecure-requests" : "")
  );
}

/** Whether a Content-Security-Policy is one of the two above. */
export function isOurCsp(policy: unknown): boolean {
  return typeof policy === "string" && policy.includes(NO_FRAMES);
}
