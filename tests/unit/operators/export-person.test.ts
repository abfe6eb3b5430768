import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExportedPart } from "~/backend/personal-data/personal-data.server";
import { REGISTRY } from "~/backend/store/registry.server";
import { PERSON_TABLES } from "~/backend/store/registered.server";
import { onAnyDatabase } from "../../database";
import { PIOTR, PIOTRS_DOCUMENT_PASSWORD } from "../../demo-customers";
import { ACT, BY_EWA, runCommand } from "../../operator-command";
import { CANARIES, KANAREK, importKanarek, liveAsKanarek, PREMIUM } from "./person-steps";
import { openTestBackend, type TestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";

type Data = Record<string, ExportedPart>;

onAnyDatabase((kind) => {
  describe("portal export, next to a running portal", () => {
    let way: TestBackend;
    let folder: string;
    let accountId: string;
    let secrets: readonly string[];
    const exportOf = (...words: string[]) => runCommand(variablesOf(way.place), ["export", ...words]);
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

    beforeAll(async () => {
      way = await openTestBackend({ kind });
      await importKanarek(way);
      const life = await liveAsKanarek(way);
      ({ accountId } = life);
      const { secret, recoveryCode = "" } = life.app;
      secrets = [secret, life.preparedSecret, recoveryCode, recoveryCode.replaceAll("-", "")];
      folder = join(way.dataDir, "export");
      const { code, stderr } = await exportOf("--username", KANAREK.username, ...ACT, "--output", folder);
      expect([code, stderr]).toEqual([0, ""]);
    });
    afterAll(() => way.close());

    const data = () => JSON.parse(readFileSync(join(folder, "data.json"), "utf8")) as Data;

    it("[S91] holds each table's rows about the person, decrypted, with what they are and how long they stay", () => {
      for (const table of PERSON_TABLES) {
        const { as } = REGISTRY[table];
        // The content of documents goes to files.
        if (as === null) continue;
        const part = data()[as];
        expect(part?.data.length, table).toBeGreaterThan(0);
        expect(part?.about, table).toMatch(/\.$/);
        expect(part?.kept, table).not.toBe("");
      }
      const text = JSON.stringify(data());
      for (const canary of CANARIES) expect(text, canary).toContain(canary);
      expect(data()["customer"]?.data[0]).toMatchObject({
        name: KANAREK.name,
        personalIdentifier: KANAREK.pid,
        email: KANAREK.email,
      });
      expect(data()["policies"]?.data).toMatchObject([{ policyNumber: KANAREK.policyNo, premium: PREMIUM }]);
    });

    it("[S91] gives away nothing that opens the account or the documents", async () => {
      const text = readFileSync(join(folder, "data.json"), "utf8");
      const secret = await way.query(
        `select password_hash as a,
          (select password_sealed from document_passwords where account_id = accounts.id) as b,
          (select min(id) from sessions where account_id = accounts.id) as c,
          (select min(token_hash) from trusted_devices where account_id = accounts.id) as d,
          (select min(browser_hash) from known_browsers where account_id = accounts.id) as e,
          (select min(code_mac) from codes where subject = accounts.id) as f,
          (select secret_sealed from factors where account_id = accounts.id) as g,
          (select min(secret_sealed) from prepared_factors where account_id = accounts.id) as h,
          (select recovery_sealed from factor_settings where account_id = accounts.id) as i,
          (select public_key_sealed from passkeys where account_id = accounts.id) as j,
          (select challenge from passkey_challenges where account_id = accounts.id) as k
        from accounts where id = ?`,
        accountId,
      );
      const values = Object.values(secret[0] ?? {});
      expect(values.filter((value) => typeof value === "string")).toHaveLength(11);
      for (const value of [...values, ...secrets]) expect(text).not.toContain(String(value));
      for (const { text: message } of await way.outbox())
        expect(text).not.toContain(/\d{6}/.exec(message)?.[0]);
    });

    it("has a folder with the documents, and only the owner of the files can read any of it", () => {
      const [pdf, ...others] = readdirSync(join(folder, "documents"));
      expect(others).toEqual([]);
      const content = readFileSync(join(folder, "documents", String(pdf)));
      expect(content.equals(readFileSync("public/documents/regulamin-portalu.pdf"))).toBe(true);
      expect(data()["documents"]?.data).toMatchObject([{ id: String(pdf).replace(".pdf", "") }]);
      expect(mode(folder)).toBe("700");
      expect(mode(join(folder, "data.json"))).toBe("600");
      expect(mode(join(folder, "documents", String(pdf)))).toBe("600");
    });

    it("[S97] leaves an event with the operator and the reason", async () => {
      expect(
        await way.query(
          "select account_id, operator, reason from audit_events where event = ?",
          "data-exported",
        ),
      ).toEqual([{ account_id: accountId, ...BY_EWA }]);
    });

    it("holds nothing about anyone else, and the terminal shows no identifier", async () => {
      const other = join(way.dataDir, "other");
      const answer = await exportOf("--policy-no", PIOTR.policyNo, ...ACT, "--json", "--output", other);
      expect(JSON.parse(answer.stdout)).toEqual({
        folder: other,
        documents: expect.any(Number) as number,
        notes: [expect.stringContaining("then delete it")],
      });
      const text = readFileSync(join(other, "data.json"), "utf8");
      expect(text).toContain(PIOTR.name);
      expect(text).not.toContain(PIOTRS_DOCUMENT_PASSWORD);
      for (const canary of CANARIES.filter((each) => each.length > 9)) expect(text).not.toContain(canary);
      for (const word of [PIOTR.name, PIOTR.pid, PIOTR.username, PIOTR.phone])
        expect(answer.stdout).not.toContain(word);
    });

    it("refuses an output that exists, or whose folder doesn't", async () => {
      const person = ["--policy-no", KANAREK.policyNo, ...ACT];
      for (const output of [folder, join(way.dataDir, "no", "folder"), "/proc/export"]) {
        const { code, stdout, stderr } = await exportOf(...person, "--output", output);
        expect([code === 0, stdout], output).toEqual([false, ""]);
        expect(stderr, output).toMatch(/^portal: [^\n]+\n$/);
      }
    });

    it("deletes no file but its own, and names what an interrupted run left", async () => {
      const person = ["--policy-no", KANAREK.policyNo, ...ACT];
      const again = join(way.dataDir, "again");
      const left = `${again}.portal-draft`;
      const own = join(`${again}.draft`, "notes");
      for (const each of [left, `${again}.draft`]) mkdirSync(each);
      writeFileSync(own, "the operator's");
      expect(await exportOf(...person, "--output", again)).toEqual({
        code: 2,
        stdout: "",
        stderr: `portal: --output: ${left} is left from an interrupted run, or in use: delete it first\n`,
      });
      rmSync(left, { recursive: true });
      const { code, stdout } = await exportOf(...person, "--output", `${again}/`);
      expect([code, existsSync(own), existsSync(left)]).toEqual([0, true, false]);
      expect(stdout).toContain("\ndocuments: 1\n");
    });
  });
});
