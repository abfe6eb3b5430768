import type { KyselyPlugin } from "kysely";
import { describe, expect, it } from "vitest";
import type { Store } from "~/backend/store/store.server";
import { register } from "../../contract/register";
import { onAnyDatabase } from "../../database";
import { LETTER, TERMS, ZOFIA, importing, pdfOf, zofiaWith } from "./importing";

const NO_DOCUMENTS = { new: 0, changed: 0, unchanged: 0, withdrawn: 0, leftOut: 0 };

onAnyDatabase((kind) => {
  describe("an import of documents", () => {
    const { way, store, imported, importedInto, put, rows, checks } = importing(kind);

    const listed = async () => {
      const { browser } = await register(way(), { ...ZOFIA, policyNo: "POL-900001" });
      const [policy] = ((await browser.get("/cp/api/policies")).body as { policies: { id: string }[] })
        .policies;
      const { body } = await browser.get(`/cp/api/policies/${policy?.id ?? ""}`);
      const { documents } = body as {
        documents: { id: string; name: string; kind: string; bytes: number }[];
      };
      return { browser, documents: documents.filter((document) => document.kind !== "confirmation") };
    };

    it("puts them on their policy's page, and the customer downloads what was in the file", async () => {
      const content = pdfOf("terms", 700_000);
      put("terms.pdf", content);
      put("letters/1.pdf", pdfOf("a letter"));
      const { counts, documents } = await imported(zofiaWith(TERMS, LETTER));
      expect([counts.new, documents]).toEqual([1, { ...NO_DOCUMENTS, new: 2 }]);
      const shown = await listed();
      expect(shown.documents).toMatchObject([
        { name: "Pismo", kind: "letter", issuedOn: "2026-03-02", protected: true },
        { name: "Warunki", kind: "terms", bytes: 700_000, protected: false },
      ]);
      const file = await shown.browser.fetch("GET", `/cp/api/documents/${shown.documents[1]?.id ?? ""}`);
      expect(content.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
    });

    it("stores them encrypted", async () => {
      put("terms.pdf", pdfOf("Kanarek ", 1000));
      await imported(zofiaWith(TERMS));
      const [part] = await way().query(
        "select content_sealed from document_parts join documents on id = document_id where policy_no = ?",
        "POL-900001",
      );
      const sealed = part?.["content_sealed"] as Buffer;
      expect([sealed.byteLength > 1000, sealed.includes("anarek")]).toEqual([true, false]);
    });

    it("changes nothing if the same files come again or a line lists none, and checks no file twice", async () => {
      put("terms.pdf", pdfOf("terms"));
      await imported(zofiaWith(TERMS));
      const before = await rows();
      const again = await imported(zofiaWith(TERMS), zofiaWith(), ZOFIA);
      expect([again.counts.unchanged, again.documents]).toEqual([3, { ...NO_DOCUMENTS, unchanged: 1 }]);
      expect(await rows()).toEqual(before);
      expect(checks()).toBe(1);
    });

    it("puts new content for the same policy, kind, name and day at the address of the old", async () => {
      put("terms.pdf", pdfOf("old", 600_000));
      put("letters/1.pdf", pdfOf("a letter"));
      await imported(zofiaWith(TERMS, LETTER));
      const before = await way().query("select id from documents where name = 'Warunki'");
      put("terms.pdf", pdfOf("new", 300));
      const { counts, documents } = await imported(
        zofiaWith(TERMS, { ...TERMS, issuedOn: "2026-04-01" }, LETTER),
      );
      expect([counts.changed, documents]).toEqual([1, { ...NO_DOCUMENTS, new: 1, changed: 1, unchanged: 1 }]);
      expect(
        await way().query(
          "select id from documents where name = 'Warunki' and bytes = 300 order by issued_on",
        ),
      ).toEqual(expect.arrayContaining(before));
      const { browser, documents: shown } = await listed();
      expect(shown).toHaveLength(3);
      const file = await browser.fetch("GET", `/cp/api/documents/${String(before[0]?.["id"])}`);
      expect(await file.text()).toBe(pdfOf("new", 300).toString());
    });

    it("[S103] leaves a line as it was if it is cut off at any statement, and completes it the next time", async () => {
      put("terms.pdf", pdfOf("terms", 600_000));
      put("letters/1.pdf", pdfOf("a letter"));
      const before = await rows();
      const line = zofiaWith(TERMS, LETTER);
      let statements = 0;
      for (let isCut = true; isCut;) {
        statements += 1;
        const cut = cutAt(store(), statements);
        isCut = await importedInto(cut, line).then(
          () => false,
          () => true,
        );
        if (isCut) expect(await rows()).toEqual(before);
      }
      // The customer, the policy, and two documents of four parts together, at least.
      expect(statements).toBeGreaterThan(8);
      expect(await rows()).toHaveLength(before.length + 8);
    });
  });
});

/** The store, with writes that fail at their nth statement. */
function cutAt(store: Store, nth: number): Store {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      if (statements === nth) throw new Error("cut off");
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return {
    ...store,
    write: (work) =>
      store.write((tx) => {
        const { isPostgres, afterCommit } = tx;
        return work(Object.assign(tx.withPlugin(plugin), { isPostgres, afterCommit }));
      }),
  };
}
