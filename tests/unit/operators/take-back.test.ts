import { describe, expect, it } from "vitest";
import { type Browser } from "../../contract/browser";
import { register } from "../../contract/register";
import { hasPostgres, onAnyDatabase } from "../../database";
import { until } from "../../browsers/until";
import { ACT, BY_EWA, runCommand } from "../../operator-command";
import { withClient } from "../../postgres-server";
import { importing, LETTER, pdfOf, TERMS, ZOFIA, zofiaWith } from "./importing";
import { variablesOf } from "../backend/test-place";

const YEAR = { validFrom: "2026-03-01", validTo: "2027-02-28" };
const JERZY = {
  kind: "individual",
  name: "Jerzy Mazur",
  phone: "+48500900002",
  pid: "81051512345",
  policies: [{ policyNo: "POL-900002", name: "Dom", ...YEAR }],
};
const PREMIUM = { amount: "129.00", currency: "PLN", title: "Zofia Mazur, rata" };
const CAR = ["--policy-no", "POL-900001"] as const;
const TODAY = new Date().toISOString().slice(0, 4);

interface ListedDocument {
  readonly id: string;
  readonly name: string;
}

onAnyDatabase((kind) => {
  describe("taking back, while a portal serves", () => {
    const { way, imported, importedLettingIn, put } = importing(kind);
    const run = (words: readonly string[], input?: string) =>
      runCommand(variablesOf(way().place), words, input);
    const does = async (words: readonly string[], input?: string) => {
      const { code, stdout, stderr } = await run([...words, ...ACT, "--json"], input);
      expect([code, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const policiesOf = async (browser: Browser) => {
      const { body } = await browser.get("/cp/api/policies");
      return (body as { policies: { id: string; policyNo: string; premium?: object }[] }).policies;
    };
    const documentsOf = async (browser: Browser) => {
      const car = (await policiesOf(browser)).find(({ policyNo }) => policyNo === CAR[1]);
      const { body } = await browser.get(`/cp/api/policies/${car?.id ?? ""}`);
      const { documents } = body as { documents: ListedDocument[] };
      return documents.filter(({ id }) => !id.startsWith("confirmation"));
    };
    const namesOf = async (browser: Browser) => (await documentsOf(browser)).map(({ name }) => name);
    const acts = () =>
      way().query(
        "select event, operator from audit_events where event like 'policy-%' or event in ('document-removed', 'document-restored', 'document-let-in') order by id",
      );

    /** Zofia with both documents, signed in; returns the id of her terms. */
    const zofiaWithDocuments = async () => {
      put("terms.pdf", pdfOf("terms", 700_000));
      put("letters/1.pdf", pdfOf("a letter"));
      const line = zofiaWith(TERMS, LETTER);
      await imported({ ...line, policies: [{ ...line.policies[0], premium: PREMIUM }] }, JERZY);
      const { browser } = await register(way(), { ...ZOFIA, policyNo: "POL-900001" });
      const terms = (await documentsOf(browser)).find(({ name }) => name === "Warunki");
      return { browser, id: terms?.id ?? "" };
    };
    const isDownloaded = async (browser: Browser, id: string) =>
      (await browser.fetch("GET", `/cp/api/documents/${id}`)).status;

    it("[S135] a removed document is gone at the next request, and no import brings it back", async () => {
      const { browser, id } = await zofiaWithDocuments();
      expect(await isDownloaded(browser, id)).toBe(200);
      expect(await does(["policy", "take-back", "--document", id])).toEqual({
        changed: true,
        dryRun: false,
        id,
      });
      expect(await isDownloaded(browser, id)).toBe(404);
      expect(await namesOf(browser)).toEqual(["Pismo"]);

      const again = await imported(zofiaWith(TERMS, LETTER));
      expect(again.counts).toMatchObject({ unchanged: 1, refused: 0 });
      expect(again.documents).toMatchObject({ unchanged: 1, leftOut: 1 });
      expect(again.complaints[0]).toMatch(
        `line 1: policies.0.documents.0.file: left out, because it was taken back on ${TODAY}`,
      );
      expect(await namesOf(browser)).toEqual(["Pismo"]);
    });

    it("[S135] a document stays out in any printing, until an import lets it in by its id", async () => {
      const { browser, id } = await zofiaWithDocuments();
      await does(["policy", "take-back", "--document", id]);
      const line = zofiaWith(TERMS, LETTER);
      put("terms.pdf", pdfOf("terms, printed again"));
      const again = await imported(line);
      expect(again.documents).toMatchObject({ new: 0, leftOut: 1 });
      expect(again.complaints).toEqual([
        expect.stringMatching(
          `^line 1: policies.0.documents.0.file: left out, .* its content is another one: --let-in ${id} lets it in$`,
        ),
      ]);
      expect(await namesOf(browser)).toEqual(["Pismo"]);

      expect((await importedLettingIn([id], line)).documents).toMatchObject({ new: 1, leftOut: 0 });
      expect(await namesOf(browser)).toEqual(["Pismo", "Warunki"]);
      expect(await acts()).toMatchObject([{ event: "document-removed" }, { event: "document-let-in" }]);
      // From then on it is a document like others, but what was taken back stays out.
      put("terms.pdf", pdfOf("terms, printed once more"));
      expect((await imported(line)).documents).toMatchObject({ changed: 1, leftOut: 0 });
      put("terms.pdf", pdfOf("terms", 700_000));
      expect((await imported(line)).documents).toMatchObject({ unchanged: 1, leftOut: 1 });
      expect(await run(["policy", "restore", "--document", id, ...ACT])).toMatchObject({ code: 1 });
    });

    it("[S135] a removed policy's documents stay out of its next holder's lines in any printing", async () => {
      await zofiaWithDocuments();
      const buyer = await register(way(), { ...JERZY, policyNo: "POL-900002" });
      await does(["policy", "take-back", ...CAR]);
      put("letters/1.pdf", pdfOf("a letter, printed again"));
      const { documents, complaints } = await imported({
        ...JERZY,
        policies: zofiaWith(TERMS, LETTER).policies,
      });
      expect(documents).toMatchObject({ new: 1, leftOut: 1 });
      expect(complaints).toEqual([
        expect.stringMatching(/documents\.1\.file: .*: --let-in [\w-]{36} lets it in$/),
      ]);
      expect(await namesOf(buyer.browser)).toEqual(["Warunki"]);
    });

    it("restores a document with its content, and not after 30 days", async () => {
      const { browser, id } = await zofiaWithDocuments();
      await does(["policy", "take-back", "--document", id]);
      expect(await does(["policy", "restore", "--document", id])).toMatchObject({ changed: true });
      expect(await isDownloaded(browser, id)).toBe(200);
      expect((await imported(zofiaWith(TERMS, LETTER))).documents).toMatchObject({ unchanged: 2 });

      await does(["policy", "take-back", "--document", id]);
      await way().change("update restorable set ends_at = ?", Date.now());
      expect(await run(["policy", "restore", "--document", id, ...ACT])).toEqual({
        code: 1,
        stdout: "changed: false\ndryRun: false\noutcome: too-late\n",
        stderr: "",
      });
      expect((await imported(zofiaWith(TERMS, LETTER))).documents).toMatchObject({ leftOut: 1 });
    });

    it("[S135] a removed policy goes with its documents, stays out of imports, and comes back whole", async () => {
      const { browser, id } = await zofiaWithDocuments();
      const [before] = await policiesOf(browser);
      expect(before).toMatchObject({ premium: PREMIUM });
      expect(await does(["policy", "take-back", ...CAR])).toMatchObject({ changed: true, documents: 2 });
      expect(await policiesOf(browser)).toEqual([]);
      expect((await browser.get(`/cp/api/policies/${before?.id ?? ""}`)).status).toBe(404);
      expect(await isDownloaded(browser, id)).toBe(404);

      const boat = { policyNo: "POL-900009", name: "Łódka", ...YEAR };
      const line = zofiaWith(TERMS, LETTER);
      const again = await imported({ ...line, policies: [...line.policies, boat] });
      expect([again.policies.leftOut, again.counts.changed]).toEqual([1, 1]);
      expect((await policiesOf(browser)).map(({ policyNo }) => policyNo)).toEqual(["POL-900009"]);

      expect(await does(["policy", "restore", ...CAR])).toMatchObject({ documents: 2 });
      expect((await policiesOf(browser))[0]).toEqual(before);
      expect(await isDownloaded(browser, id)).toBe(200);
      expect((await imported(line)).counts).toMatchObject({ unchanged: 1 });
      expect(await acts()).toEqual([
        { event: "policy-removed", operator: BY_EWA.operator },
        { event: "policy-restored", operator: BY_EWA.operator },
      ]);
    });

    it("[S135] a moved policy is its new holder's, with its terms alone, and moves back", async () => {
      const { browser, id } = await zofiaWithDocuments();
      const buyer = await register(way(), { ...JERZY, policyNo: "POL-900002" });
      const [before] = await policiesOf(browser);
      const told = await does(["policy", "move", ...CAR, "--to-pid", "-"], `${JERZY.pid}\n`);
      expect(told).toMatchObject({ changed: true, documentsTakenBack: 1 });
      expect(await policiesOf(browser)).toEqual([]);
      expect(await isDownloaded(browser, id)).toBe(404);
      const [car] = await policiesOf(buyer.browser);
      expect(car?.id).not.toBe(before?.id);
      expect([before?.premium, car?.premium]).toEqual([expect.objectContaining(PREMIUM), undefined]);
      expect(await namesOf(buyer.browser)).toEqual(["Warunki"]);
      const shown = await buyer.browser.get(`/cp/api/policies/${car?.id ?? ""}`);
      expect(shown.body).toMatchObject({ insured: JERZY.name });

      // Imports leave the policy out of the seller's line, and her letter out of the buyer's.
      expect((await imported(zofiaWith(TERMS, LETTER))).policies.leftOut).toBe(1);
      const line = zofiaWith(TERMS, LETTER);
      const buyers = await imported({ ...JERZY, policies: [...JERZY.policies, ...line.policies] });
      expect(buyers.documents).toMatchObject({ unchanged: 1, leftOut: 1 });

      const back = await does(["policy", "move", ...CAR, "--to-policy-no", "POL-900002"]);
      expect(back).toMatchObject({ changed: false });
      await imported({ ...ZOFIA, policies: [{ policyNo: "POL-900009", name: "Łódka", ...YEAR }] });
      expect(await does(["policy", "move", ...CAR, "--to-policy-no", "POL-900009"])).toMatchObject({
        documentsRestored: 1,
      });
      expect(await namesOf(browser)).toEqual(["Pismo", "Warunki"]);
      expect((await policiesOf(browser))[0]?.premium).toEqual(before?.premium);
      expect((await imported(line)).counts).toMatchObject({ unchanged: 1 });
      expect(await acts()).toHaveLength(4);
    });

    it("an import withdraws policies and documents; a customer without any left keeps the account", async () => {
      const { browser, id } = await zofiaWithDocuments();
      const letter = { kind: LETTER.kind, name: LETTER.name, issuedOn: LETTER.issuedOn, withdrawn: true };
      const first = await imported(zofiaWith(TERMS, letter));
      expect([first.documents.withdrawn, first.counts.changed]).toEqual([1, 1]);
      expect(await namesOf(browser)).toEqual(["Warunki"]);
      const gone = { ...ZOFIA, policies: [{ policyNo: "POL-900001", withdrawn: true }] };
      expect((await imported(gone)).policies.withdrawn).toBe(1);
      expect(await policiesOf(browser)).toEqual([]);
      expect(await isDownloaded(browser, id)).toBe(404);
      expect(await imported(gone)).toMatchObject({ counts: { unchanged: 1 }, policies: { withdrawn: 0 } });
      const unknown = { ...JERZY, pid: "90010112345", policies: gone.policies };
      expect((await imported(unknown)).counts).toMatchObject({ new: 0, unchanged: 1 });
      expect((await browser.get("/home/api/user/info")).status).toBe(200);
      expect(await acts()).toMatchObject([{ event: "document-removed" }, { event: "policy-removed" }]);
    });

    it("[S135] repeated, nothing takes back another policy, whose number differs only in spaces", async () => {
      const { browser } = await zofiaWithDocuments();
      await way().change(
        "insert into policies (id, policy_no, policy_no_compared, customer_id, name, valid_from, valid_to, product) select 'another', 'POL 900001', policy_no_compared, customer_id, name, valid_from, valid_to, product from policies where policy_no = 'POL-900001'",
      );
      const shown = async () => (await policiesOf(browser)).map(({ policyNo }) => policyNo);
      const gone = { ...ZOFIA, policies: [{ policyNo: "POL-900001", withdrawn: true }] };
      for (const withdrawn of [1, 0]) expect((await imported(gone)).policies).toMatchObject({ withdrawn });
      await does(["policy", "restore", ...CAR]);
      for (const changed of [true, false])
        expect(await does(["policy", "take-back", ...CAR])).toMatchObject({ changed });
      expect(await shown()).toEqual(["POL 900001"]);
    });

    it.each([
      [{ policyNo: "POL-900001", withdrawn: "yes" }, "policies.0.withdrawn: expected true, or no such field"],
      [{ withdrawn: true }, "policies.0.policyNo: expected a policy number"],
      [
        { policyNo: "POL-900002", withdrawn: true },
        "policies.0: expected a policy that belongs to no other policyholder",
      ],
    ])("refuses a line that withdraws wrongly: %j", async (policy, problem) => {
      await imported(JERZY);
      expect((await imported({ ...ZOFIA, policies: [policy] })).complaints).toEqual([`line 1: ${problem}`]);
    });

    it("shows ids and what was taken back; a dry run and a repeated command change nothing", async () => {
      const { browser, id } = await zofiaWithDocuments();
      expect((await run(["policy", "take-back", ...CAR, "--dry-run", ...ACT])).stdout).toMatch(
        /^changed: true\ndryRun: true\nid: \S+\ndocuments: 2\n$/,
      );
      await does(["policy", "take-back", "--document", id, "--dry-run"]);
      await does(["policy", "move", ...CAR, "--to-policy-no", "POL-900002", "--dry-run"]);
      expect(await isDownloaded(browser, id)).toBe(200);
      expect(await acts()).toEqual([]);

      await does(["policy", "take-back", "--document", id]);
      expect(await does(["policy", "take-back", "--document", id])).toMatchObject({ changed: false });
      const shown = await does(["policy", "show", "--policy-no", "pol 900001"]);
      expect(shown).toMatchObject({
        policy: { policyNo: "POL-900001", name: "OC – Fiat 500", premium: PREMIUM },
        documents: [{ name: "Pismo" }],
        takenBack: [{ id, document: { name: "Warunki", kind: "terms" } }],
      });
      const { stdout } = await run(["policy", "show", ...CAR, ...ACT]);
      expect(stdout).toContain(`\ntakenBack:\n  - id: ${id}\n    document:\n      kind: terms\n`);
      expect(stdout).toContain(`\n    dueOn: none\n`);
      await does(["policy", "take-back", ...CAR]);
      expect(await does(["policy", "take-back", ...CAR])).toMatchObject({ changed: false });
      await does(["policy", "restore", ...CAR]);
      expect(await does(["policy", "restore", ...CAR])).toMatchObject({ changed: false, outcome: "there" });
      expect(await does(["policy", "restore", "--document", id])).toMatchObject({ changed: true });
      expect(await does(["policy", "restore", "--document", id])).toMatchObject({ changed: false });
    });
  });
});

describe.skipIf(!hasPostgres)("on PostgreSQL, taking back", () => {
  const { way, imported, put } = importing("postgres");

  it("waits for the transaction of an import, longer than for a customer", async () => {
    put("terms.pdf", pdfOf("terms"));
    await imported(zofiaWith(TERMS));
    const documents = () => way().query("select id from documents where policy_no = 'POL-900001'");
    const [document] = await documents();
    await withClient(way().place.on?.url ?? "", async (importer) => {
      await importer.query("begin; update facts set value = value where name = 'policyholders'");
      const variables = { ...variablesOf(way().place), LIMIT_DATABASE_LOCK_MS: "100" };
      const words = ["policy", "take-back", "--document", String(document?.["id"]), ...ACT];
      const command = runCommand(variables, words);
      const isWaiting = until("the command to wait for longer than for a customer's row", async () => {
        const waiting = await way().query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and now() - query_start > interval '300 ms'",
        );
        return waiting.length > 0;
      });
      // A command that ends instead says why.
      expect(await Promise.race([isWaiting, command])).toBe(true);
      await importer.query("commit");
      expect(await command).toMatchObject({ code: 0, stderr: "" });
    });
    expect(await documents()).toEqual([]);
  });
});
