import { describe, expect, it } from "vitest";
import { importing, TERMS, ZOFIA, pdfOf, zofiaWith, zofiaInsured } from "./importing";

const FIRM = { ...ZOFIA, kind: "company", name: "Mazur sp.j.", pid: "5260001246" };
const EMAIL_LEFT_OUT =
  "email: left out: expected an address that e-mails can be sent to, of at most 254 characters";

describe("an import", () => {
  const { imported, importedAs } = importing("sqlite", "all");
  const warnedOf = async (line: object) => {
    const { complaints, counts } = await importedAs({ isRehearsal: true }, line);
    expect(counts).toMatchObject({ new: 1, refused: 0 });
    return complaints;
  };

  it.each<[string, object, string]>([
    [
      "a landline",
      { phone: "+48221234567" },
      "phone: a landline, or another number that hardly ever gets text messages",
    ],
    [
      "a special-rate number",
      { phone: "+48701234567" },
      "phone: a special-rate number, which gets no text messages",
    ],
    [
      "a foreign number",
      { phone: "+4915112345678" },
      "phone: a number outside of SMS_PREFIXES, which gets no text messages",
    ],
    [
      "eight digits",
      { phone: "+4850090000" },
      "phone: a Polish number without nine digits, which gets no text messages",
    ],
    ["a wrong PESEL", { pid: "92020212340" }, "pid: a PESEL with a wrong check digit"],
    ["a wrong NIP", { ...FIRM, pid: "5260001247" }, "pid: a NIP with a wrong check digit"],
    ["an e-mail address as a number", { email: 5 }, EMAIL_LEFT_OUT],
  ])("warns of %s, and --strict refuses the line", async (_what, fields, warning) => {
    const line = { ...ZOFIA, ...fields };
    expect(await warnedOf(line)).toEqual([`line 1: ${warning}`]);
    const strict = await importedAs({ isStrict: true }, line);
    expect([strict.counts.refused, strict.complaints]).toEqual([1, [`line 1: ${warning}`]]);
  });

  it.each<[string, object, string]>([
    ["cover from the year 26", { validFrom: "0026-01-01" }, "validFrom: a day before 1950 or after 2150"],
    ["cover to the year 9026", { validTo: "9026-12-31" }, "validTo: a day before 1950 or after 2150"],
    [
      "a document of tomorrow",
      { documents: [{ name: "Pismo", kind: "letter", issuedOn: "2099-01-01", withdrawn: true }] },
      "documents.0.issuedOn: a day in the future",
    ],
    [
      "a title in Cyrillic",
      { premium: { amount: "129.00", currency: "PLN", title: "Рата" } },
      "premium.title: a letter that banks can't carry, so the payment page shows no QR code",
    ],
  ])("warns of %s, and keeps it", async (_what, fields, warning) => {
    const told = await warnedOf(zofiaInsured({ ...fields }));
    expect(told).toEqual([expect.stringContaining(`line 1: policies.0.${warning}`)]);
  });

  it.each([
    { validFrom: "1950-01-01", validTo: "2150-12-31" },
    { validTo: "9999-12-31" },
    { premium: { amount: "129.00", currency: "PLN", title: "„Rata” – 1" } },
  ])("doubts nothing about %j", async (fields) => {
    expect(await warnedOf(zofiaInsured({ ...fields }))).toEqual([]);
  });

  it("doubts nothing about a mobile number and identifiers with right check digits", async () => {
    expect(await warnedOf(ZOFIA)).toEqual([]);
    expect(await warnedOf(FIRM)).toEqual([]);
    expect(await warnedOf({ ...ZOFIA, kind: "no-id", pid: "ABC 123" })).toEqual([]);
  });

  it("imports the policyholder whatever the address", async () => {
    const kept = [
      "zofia@poczta.example",
      "!#$%&'*+/=?^_`{|}~-.9@poczta.example",
      "zofia@żółw.example",
      "zofia@xn--w-uga1v8h.xn--p1ai",
    ];
    const leftOut = [
      '"zofia mazur"@poczta.example',
      "żofia@poczta.example",
      "zofia..mazur@poczta.example",
      "zofia.@poczta.example",
      "zofia@poczta",
      "zofia@[192.0.2.1]",
      "zofia@192.0.2.1",
      "zofia@-poczta.example",
      `${"z".repeat(65)}@poczta.example`,
      `zofia@${"poczta.".repeat(36)}example`,
      "Zofia <zofia@poczta.example>",
      "zofia@poczta.example, jan@poczta.example",
    ];
    for (const email of kept) expect(await warnedOf({ ...ZOFIA, email }), email).toEqual([]);
    for (const email of leftOut)
      expect(await warnedOf({ ...ZOFIA, email }), email).toEqual([`line 1: ${EMAIL_LEFT_OUT}`]);
  });

  it.each<[string, object, string]>([
    ["a name", { name: "Zofia\u200B Mazur" }, "name: expected a name of at most 200 characters"],
    [
      "the name of a document",
      { policies: zofiaWith({ ...TERMS, name: "Wa\u00ADrunki" }).policies },
      "policies.0.documents.0.name: expected a name of at most 200 characters",
    ],
  ])("refuses invisible characters in %s", async (_what, fields, problem) => {
    const { complaints } = await imported({ ...ZOFIA, ...fields });
    expect(complaints).toEqual([`line 1: ${problem}, without invisible characters`]);
  });

  it("says of each number where text belongs that it needs quotes", async () => {
    const policies = [{ ...ZOFIA.policies[0], policyNo: 900001, validFrom: 20260301 }];
    const { complaints } = await imported({ ...ZOFIA, phone: 48500900001, pid: 92020212341, policies });
    expect(complaints).toEqual([
      [
        "line 1: phone: expected a number such as +48500100001, in quotes",
        "pid: expected an identifier, in quotes",
        "policies.0.policyNo: expected a policy number, in quotes",
        "policies.0.validFrom: expected a day such as 2026-11-21, in quotes",
      ].join("; "),
    ]);
  });

  it("names ten wrong fields of a line at most", async () => {
    const policies = Array.from({ length: 11 }, () => ({ ...ZOFIA.policies[0], name: "" }));
    const [complaint = ""] = (await imported({ ...ZOFIA, policies })).complaints;
    expect(complaint.split("; ").slice(9)).toEqual(["policies.9.name: expected what is insured", "and more"]);
  });
});

describe("an import that writes", () => {
  const { imported, importedAs, rows, way, put } = importing("sqlite");

  it("only counts warnings, unless it leaves out an address", async () => {
    const { warnings, complaints, summary } = await imported({
      ...ZOFIA,
      pid: "92020212340",
      phone: "+48221234567",
      email: "Zofia",
    });
    expect(warnings).toMatchObject({ emailLeftOut: 1, notMobile: 1, peselCheckDigit: 1, nipCheckDigit: 0 });
    expect(complaints).toEqual([`line 1: ${EMAIL_LEFT_OUT}`]);
    const [row] = await way().query(
      "select email_sealed from customers join policies on customer_id = customers.id where policy_no = ?",
      "POL-900001",
    );
    expect(row).toEqual({ email_sealed: null });
    expect(summary).toMatch(
      /; warnings: 1 e-mail addresses left out, 1 landlines and the like, 1 PESELs with a wrong check digit$/,
    );
  });

  it("keeps a known address if the line's can't be sent to, or is empty", async () => {
    await imported({ ...ZOFIA, email: "zofia@poczta.example" });
    const before = await rows();
    for (const email of ["Zofia", null, " "])
      expect((await imported({ ...ZOFIA, email })).counts.unchanged).toBe(1);
    expect(await rows()).toEqual(before);
  });

  it("takes null and empty optional fields as missing", async () => {
    put("terms.pdf", pdfOf("terms"));
    const document = { ...TERMS, withdrawn: null };
    const [policy] = zofiaWith(document).policies;
    const policies = [{ ...policy, product: "", withdrawn: null }];
    const line = { ...ZOFIA, representative: null, email: "", policies };
    expect((await imported(line)).counts.new).toBe(1);
    const lines = [
      { ...line, policies: [{ ...policies[0], documents: null }] },
      { ...line, policies: [{ ...policies[0], documents: [{ ...TERMS, withdrawn: true, file: null }] }] },
    ];
    const { counts, documents } = await imported(...lines);
    expect([counts.refused, documents.withdrawn]).toEqual([0, 1]);
  });

  it("with --dry-run names the fields that each line would change", async () => {
    put("terms.pdf", pdfOf("terms"));
    await imported(ZOFIA);
    const before = await rows();
    const [policy] = zofiaWith(TERMS).policies;
    const policies = [
      { ...policy, name: "OC i AC" },
      { ...ZOFIA.policies[0], policyNo: "POL-900002" },
    ];
    const { complaints } = await importedAs(
      { isRehearsal: true },
      { ...ZOFIA, policies: ZOFIA.policies },
      { ...ZOFIA, name: "Zofia Nowak", policies },
      { ...ZOFIA, policies: [{ policyNo: "POL-900001", withdrawn: true }] },
    );
    expect(complaints).toEqual([
      "line 2: changes name, policies.0, policies.1, policies.0.documents.0.file",
      "line 3: changes policies.0",
    ]);
    expect(await rows()).toEqual(before);
  });
});
