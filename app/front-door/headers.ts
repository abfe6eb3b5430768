interface SecurityHeader {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

/** Features that no screen uses, so nothing embedded or injected may use them either. */
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

/** Sent with every answer, whatever its kind and status (S54). */
export const SECURITY_HEADERS: readonly SecurityHeader[] = [
  {
    name: "X-Content-Type-Options",
    value: "nosniff",
    why: "A file is what its type says, so no upload or error text ever runs as a script.",
  },
  {
    name: "Referrer-Policy",
    value: "same-origin",
    why: "Other sites never see our addresses. `no-referrer` would make browsers send `Origin: null` with forms.",
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
    why: "Nothing from other sites is embedded without their consent; we embed nothing anyway.",
  },
  {
    name: "Origin-Agent-Cluster",
    value: "?1",
    why: "Asks for a process of our own, separate from other hosts of the same domain.",
  },
  { name: "X-Frame-Options", value: "DENY", why: "Stops clickjacking in browsers without frame-ancestors." },
  {
    name: "Permissions-Policy",
    value: UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", "),
    why: "Features we never use can't be abused.",
  },
];

/**
 * Sent only if customers come by https: over http browsers ignore it, and on localhost it would break other http
 * servers.
 */
export const TRANSPORT_SECURITY: SecurityHeader = {
  name: "Strict-Transport-Security",
  value: "max-age=63072000; includeSubDomains",
  why: "For two years browsers use https only, even if a link or an attacker says http (S54: at least one).",
};

/** Headers that only name our libraries: browsers read none of them with the data format we use (S72). */
export const LIBRARY_HEADERS: readonly string[] = [
  "X-Powered-By",
  "Server",
  "X-Remix-Response",
  "X-Remix-Catch",
  "X-Remix-Error",
];

/** In all our policies: this tells them from one that a library set. */
const NO_FRAMES = "frame-ancestors 'none'";

/** For everything that isn't a document: it loads nothing, runs nothing, submits nothing. */
export const STATIC_CSP = `default-src 'none'; base-uri 'none'; form-action 'none'; ${NO_FRAMES}`;

/** What the policy of a document depends on. */
export interface DocumentCsp {
  /** Of the inlined stylesheet: `sha256-…`. */
  readonly styleHash: string;
  /** Whether customers come by https. */
  readonly https: boolean;
  /** Whether a development server answers: Vite's client has a socket, and styles of its own. */
  readonly development?: boolean;
}

/** The policy of a document (S51): scripts are files of ours, never inline, so that each answer may have the same one. */
export function documentCsp({ styleHash, https, development = false }: DocumentCsp): string {
  const styles = development ? "'unsafe-inline'" : `'${styleHash}'`;
  const socket = development ? " ws:" : "";
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' ${styles}; img-src 'self'; font-src 'self'; ` +
    `connect-src 'self'${socket}; form-action 'self'; base-uri 'none'; object-src 'none'; ${NO_FRAMES}` +
    (https ? "; upgrade-insecure-requests" : "")
  );
}

/** Whether a Content-Security-Policy is one of the two above. */
export function isOurCsp(policy: unknown): boolean {
  return typeof policy === "string" && policy.includes(NO_FRAMES);
}
