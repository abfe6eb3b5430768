/**
 * @typedef {object} Advisory
 * @property {string} id GHSA-…, or npm:… where the registry names no address
 * @property {string} name the package
 * @property {string} severity
 * @property {string} title
 * @property {string} url
 *
 * @typedef {object} Verdict
 * @property {string} id
 * @property {string} package
 * @property {string} reason why it may run
 * @property {string} until the last day on which the verdict holds, such as 2027-02-28
 */

/**
 * Reads the answer of `npm audit --json`.
 * @param {string} output
 * @returns {{ kind: "answer", advisories: Advisory[] } | { kind: "no answer", reason: string }}
 */
export function readAudit(output) {
  const report = parsed(output);
  if (report?.auditReportVersion !== 2 || typeof report.vulnerabilities !== "object")
    return { kind: "no answer", reason: String(report?.message ?? "npm audit printed no report") };
  // A package that only contains a faulty one names it by a string; the fault stands at its own package.
  const faults = Object.values(report.vulnerabilities).flatMap(({ via }) =>
    via.filter((fault) => typeof fault === "object"),
  );
  const advisories = faults.map(({ source, name, severity, title, url = "" }) => ({
    id: /GHSA-[\w-]+/.exec(url)?.[0] ?? `npm:${source}`,
    name,
    severity,
    title,
    url,
  }));
  return { kind: "answer", advisories: unique(advisories) };
}

/**
 * Compares the advisories with our verdicts.
 * @param {readonly Advisory[]} advisories
 * @param {readonly Verdict[]} verdicts
 * @param {string} today such as 2026-11-27
 * @returns {{ lines: string[], complaints: string[] }} each advisory with its verdict; what is left to do
 */
export function judge(advisories, verdicts, today) {
  const about = ({ id, name }) => verdicts.find((verdict) => verdict.id === id && verdict.package === name);
  const reported = (verdict) => advisories.some((advisory) => about(advisory) === verdict);
  return {
    lines: advisories.flatMap((advisory) => {
      const verdict = about(advisory);
      const { id, name, severity, title } = advisory;
      return [
        `${id}  ${name}, ${severity}: ${title}`,
        verdict ? `  accepted until ${verdict.until}: ${verdict.reason}` : "  no verdict",
      ];
    }),
    complaints: [
      ...advisories
        .filter((advisory) => !about(advisory))
        .map(({ id, name, url }) => `${id} on ${name} is new: read ${url || "the advisory"}`),
      ...verdicts
        .filter((verdict) => reported(verdict) && verdict.until < today)
        .map(({ id, until }) => `${id}: the verdict ended on ${until}; read the advisory again`),
      ...verdicts
        .filter((verdict) => !reported(verdict))
        .map(({ id, package: name }) => `${id} on ${name} is not reported any more: remove its verdict`),
    ],
  };
}

function unique(advisories) {
  return [...new Map(advisories.map((advisory) => [`${advisory.id} ${advisory.name}`, advisory])).values()];
}

function parsed(output) {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
