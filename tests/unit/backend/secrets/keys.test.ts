import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDocumentPassword, sealDocumentPassword } from "~/backend/secrets/data-key.server";
import {
  blindIndex,
  blindIndexes,
  isToken,
  makeKeyring,
  newToken,
  open,
  seal,
} from "~/backend/secrets/keyring.server";
import { Passwords } from "~/backend/secrets/passwords.server";
import { Browser } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { openTestBackend } from "../test-backend";

const FIRST = { version: 1, key: randomBytes(32) };
const SECOND = { version: 2, key: randomBytes(32) };
const old = makeKeyring([FIRST]);
const both = makeKeyring([SECOND, FIRST]);
const fresh = makeKeyring([SECOND]);
const place = { table: "customers", column: "name_sealed", row: "1" };
const queue = { parallel: 2, waitMs: 3000, places: 300, holdMs: 0 };

describe("keys", () => {
  it("differ for every use and version", () => {
    const uses = ["pepper", "data", "blind-index", "code", "token", "document-password"] as const;
    const keys = uses.flatMap((use) => [1, 2].map((version) => both.key(use, version).toString("hex")));
    expect(new Set(keys).size).toBe(12);
  });

  it("[S84] decrypt older data while they are in the keyring, and the first one encrypts new data", () => {
    const sealed = seal(old, place, "Zażółć");
    expect(open(both, place, sealed)).toBe("Zażółć");
    expect(seal(both, place, "Zażółć")).toMatch(/^2\./);
    expect(() => open(fresh, place, sealed)).toThrow("version 1");
  });

  it("[S82] decrypt nothing that was moved to another place or changed", () => {
    const sealed = seal(old, place, "Anna Nowak");
    expect(() => open(old, { ...place, row: "2" }, sealed)).toThrow();
    expect(() => open(old, { ...place, column: "pid_sealed" }, sealed)).toThrow();
    expect(() => open(old, { ...place, table: "outbox" }, sealed)).toThrow();
    expect(() => open(old, place, sealed.slice(0, -3) + (sealed.endsWith("AAA") ? "BBB" : "AAA"))).toThrow();
    expect(() => open(old, place, "1.")).toThrow();
    expect(seal(old, place, "Anna Nowak")).not.toBe(sealed);
  });

  it("return any text unchanged", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        (text) => open(old, place, seal(old, place, text)) === text,
      ),
    );
  });

  it("[S85] a blind index finds what was written with any key in the keyring", () => {
    const written = blindIndex(old, "pid", "85021400129");
    expect(blindIndexes(both, "pid", "85021400129")).toContain(written);
    expect(blindIndexes(fresh, "pid", "85021400129")).not.toContain(written);
    expect(blindIndex(old, "phone", "85021400129")).not.toBe(written);
  });

  it("[S35] tokens have 256 bits and never repeat", () => {
    const tokens = Array.from({ length: 1000 }, newToken);
    expect(tokens.every(isToken)).toBe(true);
    expect(new Set(tokens).size).toBe(1000);
  });

  it("[S82] a document password can be decrypted for its own account only", () => {
    const kept = sealDocumentPassword(old, "account-1", "Dokument-2026!");
    expect(openDocumentPassword(both, "account-1", kept)).toBe("Dokument-2026!");
    expect(() => openDocumentPassword(both, "account-2", kept)).toThrow();
    const other = sealDocumentPassword(old, "account-2", "Inny-Dokument-1");
    expect(() => openDocumentPassword(old, "account-1", { ...kept, sealed: other.sealed })).toThrow();
    expect(() => openDocumentPassword(old, "account-1", { ...kept, wrappedKey: other.wrappedKey })).toThrow();
  });
});

describe("password hashes", () => {
  it("[S77] are argon2id with 19 MiB and two passes, each with its own salt", async () => {
    const passwords = new Passwords(old, queue);
    const hashes = await Promise.all([passwords.hash("Demo-Haslo-2026"), passwords.hash("Demo-Haslo-2026")]);
    expect(new Set(hashes).size).toBe(2);
    expect(hashes[0]).toMatchObject({
      hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) as string,
      pepperVersion: 1,
    });
  });

  it("[S78] can't be verified without the pepper they were made with", async () => {
    const kept = await new Passwords(old, queue).hash("Demo-Haslo-2026");
    if (typeof kept === "symbol") throw new Error("busy");
    const stolen = makeKeyring([{ version: 1, key: randomBytes(32) }]);
    expect(await new Passwords(stolen, queue).verify("Demo-Haslo-2026", kept)).toBe("wrong");
    expect(await new Passwords(old, queue).verify("Demo-Haslo-2026", kept)).toBe("right");
    expect(await new Passwords(both, queue).verify("Demo-Haslo-2026", kept)).toBe("outdated");
    expect(await new Passwords(both, queue).verify("demo-haslo-2026", kept)).toBe("wrong");
  });

  it("[S78] with an old pepper are renewed at the next sign-in, and only then", async () => {
    const first = await openTestBackend({ keyring: old });
    await first.backend.close();
    const rotated = await openTestBackend({ keyring: both, dataDir: first.dataDir });
    const version = async () => {
      const [row] = await rotated.query(
        "select pepper_version from accounts where username = ?",
        ANNA.username,
      );
      return row?.pepper_version;
    };

    await new Browser(rotated).login({ ...ANNA, password: "Nie-To-Haslo-1" });
    expect(await version()).toBe(1);
    expect((await new Browser(rotated).login(ANNA)).status).toBe(200);
    expect(await version()).toBe(2);
    expect((await new Browser(rotated).login(ANNA)).status).toBe(200);
    await rotated.close();
  });

  it("[S77] at another cost are renewed at the next sign-in, and only then", async () => {
    const first = await openTestBackend({ keyring: old });
    await first.backend.close();
    const passwordCost = { memoryCost: 16, timeCost: 2, parallelism: 1 };
    const dearer = await openTestBackend({ keyring: old, dataDir: first.dataDir, passwordCost });
    const kept = async () => {
      const [row] = await dearer.query(
        "select password_hash from accounts where username = ?",
        ANNA.username,
      );
      return String(row?.password_hash);
    };

    await new Browser(dearer).login({ ...ANNA, password: "Nie-To-Haslo-1" });
    expect(await kept()).toContain("$m=8,t=1,p=1$");
    expect((await new Browser(dearer).login(ANNA)).status).toBe(200);
    const renewed = await kept();
    expect(renewed).toContain("$m=16,t=2,p=1$");
    expect((await new Browser(dearer).login(ANNA)).status).toBe(200);
    expect(await kept()).toBe(renewed);
    await dearer.close();
  });
});
