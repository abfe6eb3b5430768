import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { SECOND } from "~/platform/time.server";

/** Readable by the exporter, which runs as another user. */
const FOR_ALL = 0o644;

/**
 * Writes metrics for the textfile collector of Prometheus' node_exporter. The file appears complete or not at all.
 * @param madeAt when the last good backup was begun, in ms
 */
export function writeBackupMetrics(file: string, { madeAt, bytes }: { madeAt: number; bytes: number }): void {
  const draft = `${file}.draft`;
  try {
    writeFileSync(
      draft,
      [
        ...gauge(
          "portal_backup_last_success_timestamp_seconds",
          "When the last good backup was begun.",
          madeAt / SECOND,
        ),
        ...gauge(
          "portal_backup_last_success_bytes",
          "The size of the last good backup of the database.",
          bytes,
        ),
        "",
      ].join("\n"),
    );
    chmodSync(draft, FOR_ALL);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function gauge(name: string, help: string, value: number): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];
}
