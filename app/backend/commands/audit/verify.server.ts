import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { verifyAudit } from "../../services/audit/verify-audit.server";
import { counted } from "../kit/counted.server";
import { EXIT, type ExitCode } from "../kit/exit-code.server";
import { report, type Output } from "../kit/output.server";
import { withPortalDatabase } from "../kit/portal-database.server";
import { withProgress } from "../kit/progress.server";

/** Verifies the audit. Exits with 1 if something is wrong with it. */
export function verifyAndReport(output: Output, { json }: { readonly json?: true }): Promise<ExitCode> {
  return withPortalDatabase(async (store, keyring) => {
    const { folder } = auditSettings(environment());
    const verdict = await withProgress(output.terminal, (say) =>
      verifyAudit(store.read, keyring, folder, (events) => {
        say(`${events.toLocaleString("en-US")} events`);
      }),
    );
    const { events, seals, unsealed, lastSeal, findings } = verdict;
    const newest = lastSeal ? `, the newest is ${lastSeal.no} ${lastSeal.chain_hash}` : "";
    report(output, json, verdict, [
      `${counted(events, "event")} and ${counted(seals, "seal")}${newest}; ${unsealed} not sealed yet`,
      ...findings,
      findings.length === 0
        ? "Nothing was changed"
        : `Something was changed: ${counted(findings.length, "finding")}`,
    ]);
    return findings.length === 0 ? EXIT.done : EXIT.problem;
  });
}
