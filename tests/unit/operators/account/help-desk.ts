import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect } from "vitest";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import type { StaffSource } from "~/backend/audit/audit-event.server";
import type { NoticeDependencies } from "~/backend/notices/notices.server";
import { noticesOfCommands } from "~/operators/kit/notices.server";
import type { SupportDependencies } from "~/backend/support/account-state.server";
import { defaultLimits, type SettableLimit } from "~/platform/config/limits";
import type { Answer } from "../../../contract/browser";
import type { DatabaseKind } from "../../../database";
import { ANNA, type RegisteredCustomer } from "../../../demo-customers";
import { ACT, BY_EWA, runCommand, type CommandResult } from "../../../operator-command";
import { NOON, openTestBackend, type TestBackend, type TestOptions } from "../../backend/test-backend";
import { openStoreBeside, variablesOf } from "../../backend/test-place";

/** The commands, in an order that gives each something to do for a customer who is signed in and locked out. */
export const COMMANDS = [
  "show",
  "unlock",
  "reset-caps",
  "end-sessions",
  "forget-devices",
  "reset-factors",
  "lock-out",
  "use-new-phone",
  "keep-old-phone",
  "disable",
  "enable",
  "expire",
] as const;

/** A portal and the help desk beside it. The portal's clock shows the commands' time, and both have the same limits. */
export interface HelpDesk {
  readonly way: TestBackend;
  /** The portal's time, in ms. It stands still. */
  readonly now: number;
  /** Runs `account` with these words. */
  readonly run: (words: readonly string[], input?: string) => Promise<CommandResult>;
  /** Runs a command on a customer; it must succeed. Returns its JSON output. */
  readonly does: (
    name: (typeof COMMANDS)[number],
    customer?: Pick<RegisteredCustomer, "username">,
  ) => Promise<Record<string, unknown>>;
  /** The support acts in the audit, the oldest first. */
  readonly acts: () => Promise<readonly Record<string, unknown>[]>;
}

/** Opens a portal, with some limits changed, and the help desk beside it, with some variables set. */
export async function openHelpDesk(
  kind: DatabaseKind,
  changed: Partial<Record<SettableLimit, number>> = {},
  variables: Readonly<Record<string, string>> = {},
  options: TestOptions = {},
): Promise<HelpDesk> {
  const way = await openTestBackend({ ...options, kind, limits: { ...defaultLimits("demo"), ...changed } });
  const now = Date.now();
  way.advance(now - NOON);
  const env = {
    ...variablesOf(way.place),
    ...variables,
    ...Object.fromEntries(Object.entries(changed).map(([name, value]) => [`LIMIT_${name}`, String(value)])),
  };
  const run = (words: readonly string[], input?: string) => runCommand(env, ["account", ...words], input);
  return {
    way,
    now,
    run,
    does: async (name, { username } = ANNA) => {
      const { code, stdout, stderr } = await run([name, "--username", username, ...ACT, "--json"]);
      expect([code, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    acts: () =>
      way.query(
        "select event, operator, reason from audit_events where operator is not null order by happened_at, id",
      ),
  };
}

/** The commands' dependencies, over a second store beside a portal. Close the store afterwards. */
export async function supportBeside(
  { place, dataDir }: TestBackend,
  clock: () => number,
): Promise<SupportDependencies & NoticeDependencies> {
  const store = await openStoreBeside(place);
  const keyring = readOrMakeKeyFile(join(dataDir, KEY_FILE), true);
  return { ...(await noticesOfCommands(keyring)), store, keyring, limits: defaultLimits("demo"), clock };
}

/** The source under which the audit records a support act. */
export function bySupport(): StaffSource {
  return { address: "", requestId: randomUUID(), deviceName: "", audited: [], act: BY_EWA };
}

/** The id of a customer's account. */
export async function accountIdOf(
  way: TestBackend,
  { username }: RegisteredCustomer = ANNA,
): Promise<string> {
  const [row] = await way.query("select id from accounts where username = ?", username);
  return String(row?.["id"]);
}

/** The code of a refusal. */
export const codeOf = ({ body }: Answer) => (body as { errorCode?: string } | undefined)?.errorCode;

/** A support act as the audit records it. */
export const acted = (event: string) => ({ event, ...BY_EWA });

/** A time as the commands tell it to people: in Poland, and in UTC. For a regular expression. */
export const TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d CES?T \([\d: -]+ UTC\)`;
