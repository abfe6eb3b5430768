import { join } from "node:path";

/** The path on the disk of a file of `public`. A build has its own copy, and a release has only that. */
export function publicFile(href: string): string {
  return join(import.meta.env.PROD ? "build/client" : "public", href);
}
