import { z } from "zod";
import { dataKey } from "./secret-variables.server";
import { list, wholeNumber } from "./variable-values.server";

const RECIPIENTS = "public keys of age, such as age1…, separated by commas";
/** The characters of Bech32; `portal backup` checks the checksum. */
const RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/;
const LONGEST_DAYS = 3650;

/** Backups (`portal backup`), and the jobs beside the portals. */
export const backupVariables = {
  EXPECTED_JOBS: list
    .pipe(z.array(z.enum(["backup", "import", "follow"], "backup, import or follow, separated by commas")))
    .default([])
    .meta({
      description:
        "The jobs that are set up here: `backup`, `import` and `follow` (the SIEM's), separated by commas. `portal doctor` and the alarm JobNeverSucceeded tell of one that has never succeeded; without this, it may not be in use. `BACKUP_DIR` says the same of backups, and on PostgreSQL the purge is always expected.",
    }),
  BACKUP_DIR: z.string().optional().meta({
    description:
      "The folder for backups of this portal alone: a separate disk, or one that is copied elsewhere. It must exist. With it `portal doctor` says whether the last backup is recent.",
  }),
  BACKUP_RECIPIENTS: list
    .pipe(z.array(z.string().regex(RECIPIENT, RECIPIENTS)).min(1, RECIPIENTS))
    .optional()
    .meta({
      description:
        "The public keys of [age](https://age-encryption.org) that backups are encrypted to, separated by commas; any one of their private keys opens a backup. `portal backup-key` makes a pair.",
    }),
  BACKUP_MAC_KEY: dataKey.optional().meta({
    description:
      "The key of backups' MACs, as `portal backup-key --mac` prints it from `DATA_KEYS`, for a place that makes backups and should not have those. Without it `portal backup` needs `DATA_KEYS`.",
    secret: true,
  }),
  BACKUP_KEEP_DAYS: wholeNumber(1, LONGEST_DAYS).default(35).meta({
    description: "How many days (1 to 3650) a backup is kept. The newest one always stays.",
  }),
};
