import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect } from "vitest";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { onServer, type DatabaseKind } from "../../../database";
import { ACT, runCommand, type CommandResult } from "../../../operator-command";
import { openTestBackend, type TestBackend } from "../../backend/test-backend";
import { variablesOf } from "../../backend/test-place";

/** A portal with a folder for backups and a pair of keys. */
export interface BackedUp {
  /** The portal that runs now. */
  readonly way: TestBackend;
  /** The folder for backups. */
  readonly folder: string;
  /** The file with the private key. */
  readonly identity: string;
  /** The variables of commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command with these variables, and some more. */
  readonly run: (words: readonly string[], more?: Readonly<Record<string, string>>) => Promise<CommandResult>;
  /** Makes a backup, which must work. Returns its file. */
  readonly backUp: () => Promise<string>;
  /** The backups in the folder, without the folder. */
  readonly backups: () => readonly string[];
  /** Restores a file with the private key. */
  readonly restore: (file: string, ...words: readonly string[]) => Promise<CommandResult>;
  /** Stops the portal, runs `happens`, and starts the portal again. */
  readonly reopenAfter: (happens: () => void | Promise<void>) => Promise<void>;
  /** Loses the database: leaves an empty one on PostgreSQL, and none on SQLite. The portal must have stopped. */
  readonly loseDatabase: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Each of these tests starts several programs, which takes seconds on a busy machine. */
export const BACKUPS_MS = 900_000;

/** The pattern of backups' names. */
export const BACKUP = /^portal-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.(?:sqlite|pgdump)\.age$/;

/** Opens a portal on a database that no other test uses. */
export async function openBackedUp(kind: DatabaseKind = "sqlite"): Promise<BackedUp> {
  const key = randomBytes(32);
  const keyring = makeKeyring([{ version: 1, key }]);
  let way = await openTestBackend({ kind, keyring });
  const { place } = way;
  const files = mkdtempSync(join(tmpdir(), "portal-backups-"));
  const folder = join(files, "backups");
  mkdirSync(folder);
  const { identity, recipient } = await makePair(files, "private.txt");
  const env = {
    ...variablesOf(place),
    DATA_KEYS: `1:${key.toString("base64")}`,
    BACKUP_DIR: folder,
    BACKUP_RECIPIENTS: recipient,
  };
  const run: BackedUp["run"] = (words, more) => runCommand({ ...env, ...more }, words);
  return {
    folder,
    identity,
    env,
    run,
    get way() {
      return way;
    },
    backUp: async () => {
      const { code, stdout, stderr } = await run(["backup", "--json"]);
      expect([code, stderr]).toEqual([0, ""]);
      return (JSON.parse(stdout) as { file: string }).file;
    },
    backups: () => readdirSync(folder).filter((name) => BACKUP.test(name)),
    restore: (file, ...words) => run(["restore", ...ACT, "--input", file, "--identity", identity, ...words]),
    reopenAfter: async (happens) => {
      await way.backend.close();
      await happens();
      way = await openTestBackend({ place, keyring });
    },
    loseDatabase: async () => {
      const name = place.on?.name;
      if (name === undefined) {
        for (const suffix of ["", "-wal", "-shm"])
          rmSync(join(place.dataDir, `portal.db${suffix}`), { force: true });
        return;
      }
      await onServer(`drop database ${name} with (force)`);
      await onServer(`create database ${name} template template0`);
    },
    close: async () => {
      await way.close();
      rmSync(files, { recursive: true });
    },
  };
}

/** Makes a pair of keys, as `portal backup-key` does. */
export async function makePair(folder: string, name: string) {
  const key = await generateX25519Identity();
  const recipient = await identityToRecipient(key);
  const identity = join(folder, name);
  writeFileSync(identity, `# public key: ${recipient}\n${key}\n`);
  return { identity, recipient };
}

/** Adds an event from years ago, and archives its month. Returns the folder of archives. */
export async function archiveAnOldMonth({ way, run }: BackedUp): Promise<string> {
  await way.change(
    `insert into audit_events (id, happened_at, event, address, request_id, device_name)
    values ('long ago', ?, 'signed-in', '', '', '')`,
    Date.UTC(2023, 4, 5),
  );
  for (const command of ["seal-audit", "purge"]) expect((await run([command])).code).toBe(0);
  return join(way.dataDir, "audit");
}
