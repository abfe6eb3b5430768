import { join } from "node:path";

/** Where a file of `public` is read from: a build carries its own along, and a release has no other. */
export function publicFile(href: string): string {
  return join(import.meta.env.PROD ? "build/client" : "public", href);
}
