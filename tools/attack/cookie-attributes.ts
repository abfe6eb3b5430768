/** A cookie that holds no secret and has no prefix: its name is older than the others, and operators rely on it. */
const WITHOUT_PREFIX = "accepted-cookies";

/** The faults in the Set-Cookie lines of a portal at an https origin, each fault once. */
export function cookieFindings(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.flatMap(faultsOf))];
}

function faultsOf(line: string): readonly string[] {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const name = pair.slice(0, Math.max(0, pair.indexOf("=")));
  const has = (pattern: RegExp) => attributes.some((attribute) => pattern.test(attribute));
  return [
    name.startsWith("__Host-") || name === WITHOUT_PREFIX ? undefined : "has no __Host- prefix",
    has(/^Secure$/i) ? undefined : "is not Secure",
    has(/^HttpOnly$/i) ? undefined : "is not HttpOnly",
    has(/^SameSite=(Lax|Strict)$/i) ? undefined : "has no SameSite",
    has(/^Path=\/$/i) ? undefined : "has another Path than /",
    has(/^Domain=/i) ? "has a Domain" : undefined,
  ].flatMap((fault) => (fault === undefined ? [] : [`the cookie ${name} ${fault}`]));
}
