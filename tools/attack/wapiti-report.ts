import { z } from "zod";

const ENTRY = z.object({
  method: z.string(),
  path: z.string(),
  info: z.string(),
  parameter: z.string().nullable(),
});
const REPORT = z.object({
  vulnerabilities: z.record(z.string(), z.array(ENTRY)),
  anomalies: z.record(z.string(), z.array(ENTRY)),
});

/** It switched on a browser filter that had security holes. Browsers have dropped it, and OWASP says not to send it. */
const OUTDATED = /X-XSS-Protection/;

/** The findings in wapiti's JSON report: vulnerabilities, and anomalies like a server error or a timeout. */
export function readWapiti(json: string): readonly string[] {
  const { vulnerabilities, anomalies } = REPORT.parse(JSON.parse(json));
  return [...Object.entries(vulnerabilities), ...Object.entries(anomalies)].flatMap(([name, entries]) =>
    entries
      .filter(({ info }) => !OUTDATED.test(info))
      .map(({ method, path, parameter, info }) => {
        const where = parameter === null || parameter === "" ? "" : ` (${parameter})`;
        return `${name}: ${method} ${path}${where}: ${info}`;
      }),
  );
}
