/** The two uses of the form for a document password (specification §3). */
export type DocumentPasswordMode = "create" | "change";

/** The path of the screen for a mode. */
export function documentPasswordPath(mode: DocumentPasswordMode): string {
  return `/home/${mode}-document-password`;
}

/** The address of a policy's page. */
export function policyPath(id: string): string {
  return `/cp/policy/${encodeURIComponent(id)}`;
}

/** The address of a document. */
export function documentPath(id: string): string {
  return `/cp/document/${encodeURIComponent(id)}`;
}
