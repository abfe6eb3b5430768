/** Scripts whose output is mere information, or is judged by another of our attacks. */
const INFORMATION = new Set([
  "http-headers",
  "http-server-header",
  "http-title",
  "ssl-cert",
  "fingerprint-strings",
]);
/** Allowed results of a search with nmap's lists: public addresses, and refused requests. */
const HARMLESS =
  /^\/(service\/|robots\.txt|favicon\.(svg|ico)|\.well-known\/security\.txt): |\(400 Bad Request\)$/;

/** Whether a script's output is a finding, by the script's name. */
const JUDGED: Readonly<Record<string, (output: string) => boolean>> = {
  "http-methods": (output) => output.includes("Potentially risky methods"),
  "http-trace": (output) => output.includes("TRACE is enabled"),
  "http-enum": (output) => linesOf(output).some((line) => !HARMLESS.test(line)),
  "http-errors": (output) => /Error Code: 5\d\d/.test(output),
  "http-security-headers": (output) => output.includes("HSTS not configured"),
  "http-cookie-flags": (output) => /flag not set|not set/.test(output),
  "http-sql-injection": (output) => /Possible sqli/.test(output),
  "http-stored-xss": (output) => !/Couldn't find any/.test(output),
  "ssl-enum-ciphers": (output) => /least strength: [^A\s]/.test(output),
};

/** Each script's output on each port, from nmap's XML. */
export function scriptsIn(
  xml: string,
): readonly { readonly port: string; readonly id: string; readonly output: string }[] {
  return Array.from(xml.matchAll(/<port protocol="tcp" portid="(\d+)">([\s\S]*?)<\/port>/g)).flatMap(
    ([, port = "", inside = ""]) =>
      Array.from(inside.matchAll(/<script id="([^"]+)" output="([^"]*)"/g), ([, id = "", output = ""]) => ({
        port,
        id,
        output: unescaped(output),
      })),
  );
}

/** The findings in nmap's XML. A self-signed certificate is the tests' own, so it isn't one. */
export function readNmap(xml: string): readonly string[] {
  return scriptsIn(xml)
    .filter(({ id, output }) => !INFORMATION.has(id) && isFinding(id, output))
    .map(({ port, id, output }) => `${id} on port ${port}: ${linesOf(output).join("; ")}`);
}

function isFinding(id: string, output: string): boolean {
  if (/(?<!NOT )\bVULNERABLE\b/.test(output)) return true;
  return JUDGED[id]?.(output) ?? false;
}

function linesOf(output: string): readonly string[] {
  return output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function unescaped(text: string): string {
  return text
    .replaceAll("&#xa;", "\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
