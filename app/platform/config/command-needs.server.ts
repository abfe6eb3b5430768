import { backupVariables } from "./backup-variables.server";
import { brandVariables } from "./brand-variables.server";
import { databaseVariables } from "./database-variables.server";
import type { Scope, Environment } from "./environment.server";
import { helpDeskVariables } from "./help-desk-variables.server";
import { mailVariables } from "./mail-variables.server";
import { smsVariables } from "./sms-variables.server";

type Name = Exclude<keyof Environment, "limits">;

const namesOf = <Group extends object>(group: Group) => Object.keys(group) as (keyof Group)[];

/** Read by every command: the mode, where the data is, and the operator. */
const ALWAYS: readonly Name[] = [
  "PORTAL_MODE",
  "DATA_DIR",
  "BACKEND_URL",
  "LOG_LEVEL",
  "SUDO_USER",
  "PORTAL_OPERATOR_FROM",
];

/** The variables of each subject of a command's work. Limits are always read. */
const SUBJECTS = {
  database: namesOf(databaseVariables),
  keys: ["DATA_KEYS"],
  backups: namesOf(backupVariables),
  /** To put notices into the queues. A portal sends them, so neither a gateway's secrets nor the mail server's. */
  notices: [...namesOf(brandVariables), "SMS_GATEWAY", "SMS_PREFIXES", "SMS_NOTICES", "SMTP_FROM"],
  /** To ask the gateways themselves. */
  sms: [...namesOf(brandVariables), ...namesOf(smsVariables), "HTTPS_PROXY", "NO_PROXY"],
  /** To ask the mail server itself. */
  mail: [...namesOf(brandVariables), ...namesOf(mailVariables)],
} as const satisfies Readonly<Record<string, readonly Name[]>>;

type Subject = keyof typeof SUBJECTS;

/** The subjects that a command needs. With "if set", the variables of that subject are optional. */
export type Needs = readonly (Subject | `${Subject} if set`)[];

const namesFor = (needs: Needs) =>
  needs.flatMap((need): readonly Name[] => SUBJECTS[need.replace(/ if set$/, "") as Subject]);

/** The scope of a command with these needs. */
export function scopeOf(needs: Needs): Scope {
  const isIfSet = (need: Needs[number]) => need.endsWith(" if set");
  return {
    needed: new Set([...ALWAYS, ...namesFor(needs.filter((need) => !isIfSet(need)))]),
    ifSet: new Set(namesFor(needs.filter(isIfSet))),
  };
}

/** The variables of the help desk's pages: its own, and those for the database, the keys and messages to customers. */
export const HELP_DESK_SCOPE: Scope = {
  needed: new Set<Name>([
    ...namesOf(helpDeskVariables),
    ...namesFor(["database", "keys", "notices"]),
    "PORTAL_MODE",
    "DATA_DIR",
    "LOG_LEVEL",
    "HOST",
    "PORT",
    "METRICS_HOST",
    "METRICS_PORT",
    "TRUSTED_PROXIES",
    "HTTPS_PROXY",
    "NO_PROXY",
    "NOTIFY_SOCKET",
    "WATCHDOG_USEC",
  ]),
  ifSet: new Set<Name>(["BACKEND_URL", "PUBLIC_ORIGIN"]),
};
