/*
 * The backend's public functions: other folders of `app` import from here and from `types.ts`, from no other file of
 * the backend (docs/decisions/rooms.md). The module has no side effect, so a program's build contains only the functions
 * that it calls.
 */

// For the portal's server, which opens the backend and answers calls.
export { COOKIE_NAMES } from "./calls/cookies.server";
export { expectedJobs } from "./jobs/job-successes.server";
export { smsGateways } from "./messages/choose-gateway.server";
export { smtpServer } from "./messages/smtp.server";
export { openBackendOrWait } from "./open-backend.server";
export { makeKeyring } from "./secrets/keyring.server";
export { DEVICE_COOKIES } from "./sign-in/trusted-devices.server";

// For commands: access to the portal's database while a portal may be running.
export { openDatabase, withDatabase } from "./store/portal-database.server";
export { requireTables } from "./store/require-tables.server";
export { DatabaseUnavailable } from "./store/store.server";

// For the help desk and support commands: find and show customers, act on their accounts.
export { AUDIT_EVENTS } from "./audit/audit-event.server";
export { FINDABLE } from "./customers/find-indexes.server";
export { queuedNotices } from "./notices/queued-notices.server";
export { readPolicyholder } from "./support/account-state.server";
export { ACT_NAMES, actOf, COUNTED_THINGS, isGrave } from "./support/acts.server";
export { chooseCustomer } from "./support/choose-customer.server";
export { describeCustomer, findCustomers, MOST_FOUND } from "./support/find-customers.server";
export { refuseOwnAccount } from "./support/own-account.server";
export { performOnce, readToAct } from "./support/perform-once.server";
export { holdsPersonalNumber } from "./support/personal-numbers.server";
export { movePolicy, restoreTakenBack, takeBack } from "./support/policy-acts.server";
export { showAccount, showCustomer } from "./support/show-customer.server";
export { showPolicy } from "./support/show-policy.server";
export { auditStaffRefusal, auditStaffSignOn } from "./support/staff-audit.server";
export { spendStaffBudgets } from "./support/staff-budgets.server";
export {
  approveRequest,
  askForSecond,
  declineRequest,
  showWaitingRequests,
  WAIT,
  waitingRequests,
} from "./support/staff-requests.server";

// Policyholders and their data.
export { seedCustomers } from "./demo/seed-customers.server";
export { importPolicyholders, interruptedAfter } from "./import/import-policyholders.server";
export { ImportTally } from "./import/import-tally.server";
export { erasePerson, planErasure } from "./personal-data/erase-person.server";
export { exportPerson } from "./personal-data/export-person.server";

// Messages and announcements.
export { sendTestMail, sendTestSms } from "./messages/send-test.server";
export { announce, beginMaintenance, currentAnnounced, endAnnounced } from "./notices/announcements.server";

// The audit.
export { countEvents, PERIODS } from "./audit/count-events.server";
export { requireSealingRole, sealAudit } from "./audit/seal-events.server";
export { newestArchivedMonth, showEvents } from "./audit/show-events.server";
export { verifyAudit } from "./audit/verify-audit.server";

// Operations: backups, keys, tables, checks.
export { makeBackupKeys } from "./backup/age-files.server";
export { backUp, planBackup, untilDue } from "./backup/back-up.server";
export { backupMacKeyText } from "./backup/backup-mac.server";
export { restore } from "./backup/restore.server";
export { revokeAfterRestore } from "./backup/revoke-after-restore.server";
export { checkInstallation } from "./doctor/checks.server";
export { purgeDatabase } from "./jobs/purge-database.server";
export { rewrapKeys } from "./secrets/rewrap-keys.server";
export { checkMigrations, migrateDatabase, rehearseMigrations } from "./store/migrate-database.server";
