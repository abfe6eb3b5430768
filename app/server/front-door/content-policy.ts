/** Part of each of our policies: a policy that a library set lacks it. */
const NO_FRAMES = "frame-ancestors 'none'";

/** For everything that isn't a document: it loads nothing, runs nothing, submits nothing. */
export const STATIC_CSP = `default-src 'none'; base-uri 'none'; form-action 'none'; ${NO_FRAMES}`;

/** The facts that decide a document's policy. */
interface DocumentCsp {
  /** The hash of the inlined stylesheet: `sha256-…`. */
  readonly styleHash: string;
  /** Whether customers come by https. */
  readonly https: boolean;
  /** Whether a development server answers: Vite's client has a socket, and styles of its own. */
  readonly development?: boolean;
  /** Other origins that a form may lead to by a redirect: an issuer's, where staff sign on and out. */
  readonly formTargets?: readonly string[];
}

/** The policy of a document (S51): scripts are files of ours, never inline, so that each answer may have the same one. */
export function documentCsp({
  styleHash,
  https,
  development = false,
  formTargets = [],
}: DocumentCsp): string {
  const styles = development ? "'unsafe-inline'" : `'${styleHash}'`;
  const socket = development ? " ws:" : "";
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' ${styles}; img-src 'self'; font-src 'self'; ` +
    `connect-src 'self'${socket}; form-action ${["'self'", ...formTargets].join(" ")}; base-uri 'none'; object-src 'none'; ${NO_FRAMES}` +
    (https ? "; upgrade-insecure-requests" : "")
  );
}

/** Whether a Content-Security-Policy is one of the two above. */
export function isOurCsp(policy: unknown): boolean {
  return typeof policy === "string" && policy.includes(NO_FRAMES);
}
