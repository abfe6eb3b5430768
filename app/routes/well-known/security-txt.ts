import { environment } from "~/platform/config/environment.server";
import { readOnlyFile } from "~/shell/read-only.server";

/** How far ahead `Expires` lies (ms). The file is generated for each request, so it never goes stale. */
const VALID_MS = 30 * 24 * 60 * 60 * 1000;

/** The contact for reporting a weakness of the portal (RFC 9116). */
export function loader() {
  const { BRAND_SECURITY_CONTACT, PUBLIC_ORIGIN } = environment();
  const fields = {
    Contact: BRAND_SECURITY_CONTACT,
    Expires: new Date(Date.now() + VALID_MS).toISOString(),
    "Preferred-Languages": "pl, en",
    ...(PUBLIC_ORIGIN !== undefined && { Canonical: `${PUBLIC_ORIGIN}/.well-known/security.txt` }),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  return new Response(lines.join(""), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

export const action = readOnlyFile;
