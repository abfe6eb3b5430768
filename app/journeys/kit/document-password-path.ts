/** The two uses of the form for a document password (specification §3). */
export type DocumentPasswordMode = "create" | "change";

/** The address of a mode's screen. */
export function documentPasswordPath(mode: DocumentPasswordMode): string {
  return `/home/${mode}-document-password`;
}
