/** The address of a document. */
export function documentPath(id: string): string {
  return `/cp/document/${encodeURIComponent(id)}`;
}
