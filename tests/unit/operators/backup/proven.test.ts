import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { readIdentities } from "~/backend/backup/age-files.server";
import { originOf } from "~/backend/backup/backup-mac.server";
import { openBackup } from "~/backend/backup/restore.server";
import { onEachDatabase } from "../../../database";
import { ACT, BY_EWA } from "../../../operator-command";
import { BACKUPS_MS, openBackedUp, type BackedUp } from "./backed-up";
import { restoredEvents } from "./restore-steps";
import { asSomebodyElse } from "./somebody-elses";

const newKey = (version: number) => `${version}:${randomBytes(32).toString("base64")}`;

onEachDatabase((kind) => {
  describe("a backup that somebody else has encrypted with the public key", { timeout: BACKUPS_MS }, () => {
    it("[S157] is refused, unless an operator takes the risk by name, which is audited", async () => {
      const portal = await openBackedUp(kind);
      const file = await portal.backUp();
      await asSomebodyElse(portal, file);
      await portal.reopenAfter(async () => {
        await portal.loseDatabase();
        expect(await portal.restore(file)).toEqual({
          code: 1,
          stdout: "",
          stderr: `portal: ${file} is not proven to be this portal's backup: ${file}.mac is missing or can't be read; --accept-unproven takes the risk\n`,
        });
        const { code, stdout } = await portal.restore(file, "--accept-unproven");
        expect([code, stdout]).toEqual([
          0,
          expect.stringContaining("You accepted this backup although") as string,
        ]);
      });
      const reason = `${BY_EWA.reason}; accepted although not proven to be this portal's: ${file}.mac is missing or can't be read`;
      expect(await restoredEvents(portal.way)).toEqual([{ account_id: null, ...BY_EWA, reason }]);
      await portal.close();
    });
  });
});

describe("the MAC of a backup", { timeout: BACKUPS_MS }, () => {
  let portal: BackedUp;
  let file: string;
  beforeAll(async () => {
    portal = await openBackedUp();
    file = await portal.backUp();
    await portal.way.backend.close();
  });
  afterAll(() => portal.close());

  const restore = (keys: string) =>
    portal.run(["restore", ...ACT, "--input", file, "--identity", portal.identity, "--json"], {
      DATA_KEYS: keys,
    });
  const refused = async (keys: string, problem: string) => {
    const { code, stderr } = await restore(keys);
    expect([code, stderr]).toEqual([1, expect.stringContaining(problem) as string]);
  };

  it("[S157] covers what stands beside it, and a file of nonsense is none", async () => {
    const own = portal.env["DATA_KEYS"] ?? "";
    const mac = readFileSync(`${file}.mac`, "utf8");
    for (const change of [
      { madeAt: "2030-01-01T00:00:00.000Z" },
      { mac: randomBytes(32).toString("base64url") },
      { mac: "" },
      { keyVersion: 2 },
    ]) {
      writeFileSync(`${file}.mac`, JSON.stringify({ ...(JSON.parse(mac) as object), ...change }));
      await refused(`${own},${newKey(2)}`, "its MAC does not fit");
    }
    for (const nonsense of ["", "{}", "null", '{"mac":1}']) {
      writeFileSync(`${file}.mac`, nonsense);
      await refused(own, ".mac is missing or can't be read");
    }
    writeFileSync(`${file}.mac`, mac);
  });

  it("[S157] is made without DATA_KEYS, with the key that backup-key --mac derives from them", async () => {
    const { stdout } = await portal.run(["backup-key", "--mac"]);
    expect(stdout).toMatch(/^1:[A-Za-z0-9+/]{43}=\n$/);
    expect(stdout.trim()).not.toBe(portal.env["DATA_KEYS"]);
    const made = await portal.run(["backup", "--json"], { DATA_KEYS: "", BACKUP_MAC_KEY: stdout.trim() });
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const { file: other } = JSON.parse(made.stdout) as { file: string };
    expect((await portal.restore(other)).code).toBe(0);
  });

  it("[S157] is never left out: without a key there is no backup", async () => {
    const { code, stderr } = await portal.run(["backup"], { DATA_KEYS: "", DATA_DIR: "/nowhere" });
    expect([code, stderr]).toEqual([
      2,
      "portal: BACKUP_MAC_KEY: expected, or else DATA_KEYS; portal backup-key --mac prints it\n",
    ]);
  });

  it("[S157] is not made with a key that is not derived from DATA_KEYS", async () => {
    const { code, stderr } = await portal.run(["backup"], { BACKUP_MAC_KEY: newKey(1) });
    expect([code, stderr]).toEqual([
      2,
      "portal: BACKUP_MAC_KEY: it is not derived from DATA_KEYS: portal backup-key --mac prints it\n",
    ]);
  });

  it("[S157] fits after a rotation, as long as the key of that day is kept", async () => {
    const own = portal.env["DATA_KEYS"] ?? "";
    const later = newKey(2);
    await refused(later, "its MAC was made with data key 1, which DATA_KEYS lacks; --accept-unproven");
    await refused(newKey(1), "its MAC does not fit");
    const { code, stdout } = await restore(`${later},${own}`);
    expect(code).toBe(0);
    // The backup's own time, whatever its name says.
    const { madeAt } = JSON.parse(stdout) as { madeAt: string };
    expect(file).toContain(`portal-${madeAt.replaceAll(":", "")}`);
  });

  it("[S157] does not fit a backup that took the place of the one that was checked", async () => {
    const decrypter = await readIdentities(portal.identity);
    const [version = "", key = ""] = (portal.env["DATA_KEYS"] ?? "").split(":");
    const keyring = makeKeyring([{ version: Number(version), key: Buffer.from(key, "base64") }]);
    const origin = await originOf(file, keyring);
    expect(origin.kind).toBe("own");
    expect((await buffer(await openBackup(file, decrypter, origin))).byteLength).toBeGreaterThan(0);
    await asSomebodyElse(portal, file);
    await expect(buffer(await openBackup(file, decrypter, origin))).rejects.toThrow("was changed");
  });
});
