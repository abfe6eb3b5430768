import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  brokenUsernameRule,
  illegalDocumentCharacter,
  isNumber,
  isRecoveryCode,
  readCode,
  readPassword,
  readRecoveryCode,
  readPid,
  readPolicyNo,
  readUsername,
  SPECIAL_CHARACTERS,
  unmetConditions,
  usernameKey,
} from "~/contract/rules";
import { processorTime } from "../../processor-time";

const text = fc.string({ unit: "binary", maxLength: 80 });

describe("[F30] a recovery code", () => {
  const CODE = "GALLERYCODEGALLERYCODE27";
  const SHOWN = "GALL-ERYC-ODEG-ALLE-RYCO-DE27";

  it.each([
    SHOWN,
    CODE,
    SHOWN.toLowerCase().replaceAll("-", " "),
    SHOWN.replaceAll("-", " – "),
    SHOWN.replaceAll("-", "."),
    SHOWN.replaceAll("-", ":"),
    SHOWN.replaceAll("O", "0"),
    `„${SHOWN}”.`,
    `"${SHOWN}"`,
    `\u202a${SHOWN.replaceAll("-", "\u2011\u200b")}\ufeff`,
    "GA\u00adLL-ERYC-ODEG-ALLE-RYCO-\nDE27",
    "G A L L E R Y C O D E G A L L E R Y C O D E 2 7",
    `Kod odzyskiwania: ${SHOWN}`,
    `KOD: ${SHOWN}`,
    `kod:${SHOWN}`,
    `Kod = ${CODE}`,
    `Portal: kod odzyskiwania:\n„${SHOWN.toLowerCase()}”`,
    `Kod odzyskiwania ${SHOWN}`,
    `Mój kod odzyskiwania – ${CODE}`,
    `MOJA KARTA ${SHOWN}`,
    `${SHOWN} (portal)`,
  ])("is found in %j", (typed) => {
    expect(readRecoveryCode(typed)).toBe(CODE);
    expect(isRecoveryCode(typed)).toBe(true);
  });

  it("with 0, 1 and 8 is one with O, I and B, which it was copied from", () => {
    expect(readRecoveryCode("0180-0180-0180-0180-0180-0180")).toBe("OIBO".repeat(6));
  });

  it.each([
    "",
    "KOD",
    "123456",
    SHOWN.slice(0, -1),
    `${SHOWN}X`,
    `${CODE}X`,
    SHOWN.replace("2", "9"),
    SHOWN.replace("G", "Ł"),
    // The label would fill in what is missing.
    `KOD: ${SHOWN.slice(0, -3)}`,
    `Kod: ${SHOWN.slice(0, 24)}`,
    `Kod odzyskiwania ${SHOWN.slice(0, 24)}`,
  ])("isn't %j", (typed) => {
    expect(isRecoveryCode(typed)).toBe(false);
  });

  it("is read once for all, from any text, in little time", async () => {
    fc.assert(
      fc.property(text, (typed) => readRecoveryCode(readRecoveryCode(typed)) === readRecoveryCode(typed)),
    );
    expect(await processorTime(() => readRecoveryCode("GALL ".repeat(800)))).toBeLessThan(100);
  });
});

describe("a password (specification §5)", () => {
  it("without characters meets no condition", () => {
    expect(unmetConditions("")).toEqual(["length", "uppercase", "digit", "special"]);
  });

  it("is judged the same in every Unicode form", () => {
    fc.assert(
      fc.property(text, (typed) => {
        expect(unmetConditions(typed.normalize("NFD"))).toEqual(unmetConditions(typed.normalize("NFC")));
      }),
    );
  });

  it("is read without any change but NFC", () => {
    fc.assert(fc.property(text, (typed) => readPassword(typed) === typed.normalize("NFC")));
  });
});

describe("a document password (specification §5)", () => {
  it("may have digits, the listed special characters and the letters A to Z", () => {
    const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    expect(illegalDocumentCharacter(plain + SPECIAL_CHARACTERS)).toBeUndefined();
  });

  it.each(["ą", "Ł", " ", "é", "💥", "\t", "§", "\u00a0"])("names %j as illegal", (character) => {
    expect(illegalDocumentCharacter(`Dokument-1${character}x`)).toBe(character);
  });
});

describe("a username (specification §5)", () => {
  it("is compared regardless of case, Unicode form and surrounding spaces", () => {
    expect(usernameKey(" ŻÓŁW.Anna ")).toBe(usernameKey("żółw.ANNA".normalize("NFD")));
    fc.assert(fc.property(text, (typed) => usernameKey(readUsername(typed)) === usernameKey(typed)));
  });
});

describe("what customers type", () => {
  it("is read with one kind of dash and of space if it is a policy number or a personal identifier", () => {
    expect(readPolicyNo(" pol-100001\t").read).toBe("POL-100001");
    expect(readPolicyNo("pol\u2013100\u00ad001\u00a0x").read).toBe("POL-100001 X");
    expect(readPid("\u200efb\u2009\uff11\uff12\u2212\uff13\u202c").read).toBe("FB 12-3");
    fc.assert(fc.property(text, (typed) => readPid(readPid(typed).read).read === readPid(typed).read));
  });

  it.each([
    ["72090811112", ["720908 11112", "720-908-111-12", "\uff17\uff12090811112", "7\u20602090811112"]],
    ["9512345675", ["951-234-56-75", "951 234 56 75", "951\u2011234\u201156\u201175"]],
    ["FB123456", ["fb 123456", "FB\u00a0123456", "f-b-123456"]],
    ["POL300003", ["POL 300003", "pol-300003", "POL\u2013300003", "POL\u2212300003", "P OL300003"]],
  ])("is compared without spaces and hyphens then: %s", (compared, spellings) => {
    for (const typed of spellings)
      for (const read of [readPid, readPolicyNo]) expect(read(typed).compared).toBe(compared);
  });

  it("is compared alike whether it was stored as it was typed or as it was read", () => {
    fc.assert(
      fc.property(text, (typed) => {
        const { compared, ...spellings } = readPolicyNo(typed);
        for (const stored of Object.values(spellings)) expect(readPolicyNo(stored).compared).toBe(compared);
      }),
    );
  });

  it.each([" ", "-", "\u2013 \u2014", "\u200b"])("is no number if it is only %j", (typed) => {
    expect([isNumber(typed), isNumber(`${typed}1`)]).toEqual([false, true]);
  });

  it("[S75] never takes long to read, whatever is sent", async () => {
    const hostile = [
      " ".repeat(50_000),
      "a".repeat(50_000),
      "1 ".repeat(25_000),
      "ą\u0301".repeat(25_000),
      "\u0000".repeat(50_000),
    ];
    const time = await processorTime(() => {
      for (const each of hostile) {
        for (const read of [readCode, readPid, readPolicyNo, usernameKey]) read(each);
        unmetConditions(each);
        brokenUsernameRule(each);
        illegalDocumentCharacter(each);
      }
    });
    expect(time).toBeLessThan(2000);
  });
});
