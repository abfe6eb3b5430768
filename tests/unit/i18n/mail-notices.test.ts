import { describe, expect, it } from "vitest";
import { NOTICE_EVENTS } from "~/contract/notices";
import { mailTexts, testMail } from "~/i18n/mail-texts.server";
import { OWN_ANCHORS, schemesOf } from "~/platform/config/palette";

const COLOURS = schemesOf(OWN_ANCHORS).light;
/** 22 November 2026, 14:05 in Poland. */
const AT = Date.UTC(2026, 10, 22, 13, 5);
const mailsOf = (name: string) => {
  const texts = mailTexts({ name }, COLOURS);
  return NOTICE_EVENTS.map((event) => texts[event]({ at: AT }));
};
const readable = (text: string) => text.replaceAll("\u00A0", " ");

describe("[S149] e-mail notices", () => {
  it("say what happened, when and whom to call: in Polish, then in English", () => {
    const [mail] = mailsOf("Tarnea Ubezpieczenia");
    expect(mail?.subject).toBe("Tarnea Ubezpieczenia: Zmieniono hasło do portalu");
    const [polish = "", english = ""] = readable(mail?.text ?? "").split("\n\n* * *\n\n");
    expect(polish).toMatch(
      /^Zmieniono hasło do portalu\n\nHasło .*\n\nKiedy: 22 listopada 2026, 14:05\.\n\nTo nie Ty\? Zadzwoń na infolinię: 800 100 200 \(bezpłatnie\)\.\n\nTarnea /,
    );
    expect(english).toMatch(
      /^The portal password was changed\n\n.*\n\nWhen: 22 November 2026, 2:05pm\.\n\nIf it was not you, call our helpline: 800 100 200 \(free in Poland\)\.\n\nTarnea /,
    );
  });

  it("say which device became trusted, what was added, and whether codes by SMS are on or off", () => {
    const texts = mailTexts({ name: "Tarnea" }, COLOURS);
    const trusted = texts["device-trusted"]({ at: AT, deviceName: "Firefox 128, Windows 10" });
    expect(readable(trusted.text)).toMatch(
      /\n\nUrządzenie: Firefox 128, Windows 10\.\n\n[^]*\n\nDevice: Firefox 128, /,
    );
    expect(trusted.html).toContain("Firefox 128, Windows 10");
    const subjects = [
      texts["factor-added"]({ at: AT, detail: "app" }),
      texts["factor-added"]({ at: AT, detail: "passkey" }),
      texts["sms-at-sign-in"]({ at: AT, detail: "on" }),
      texts["sms-at-sign-in"]({ at: AT, detail: "off" }),
    ].map(({ subject }) => readable(subject));
    expect(subjects).toEqual([
      "Tarnea: Dodano aplikację z kodami",
      "Tarnea: Dodano klucz dostępu",
      "Tarnea: Włączono kody SMS przy logowaniu",
      "Tarnea: Wyłączono kody SMS przy logowaniu",
    ]);
    for (const deviceName of ["Chrome 128, oszust.pl", "Chrome 700123456, Windows 10", '<a href="//x">', ""])
      expect(texts["device-trusted"]({ at: AT, deviceName }), deviceName).toEqual(
        texts["device-trusted"]({ at: AT }),
      );
  });

  it("differ in what they say happened, and the HTML has the words of the text", () => {
    const mails = mailsOf("Tarnea");
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(NOTICE_EVENTS.length);
    for (const { text, html } of mails)
      for (const line of text.split("\n\n").filter((each) => each !== "* * *")) expect(html).toContain(line);
  });

  it("have no link, no picture, no form and no script, and nothing of the customer's", () => {
    for (const { subject, text, html } of [...mailsOf("Tarnea"), testMail({ name: "Tarnea" }, COLOURS)]) {
      expect(subject + text + html).not.toMatch(/https?:|www\.|mailto:|href|src=|url\(|@(?!media)/i);
      expect(html).not.toMatch(/<(a|img|form|script|link|style|iframe)\b/i);
      // No text that a phone or a person could take for a code.
      expect(text).not.toMatch(/\d{6}/);
    }
  });

  it("have our look: the brand's name and colours, whatever the name holds", () => {
    const [mail] = mailsOf('Żółw & <b>"Syn"</b>');
    expect(mail?.html).toContain("Żółw &amp; &lt;b&gt;&quot;Syn&quot;&lt;/b&gt;");
    expect(mail?.html).not.toContain("<b>");
    for (const colour of [COLOURS.band, COLOURS.accent, COLOURS.ink]) expect(mail?.html).toContain(colour);
    expect(mail?.html).toMatch(/<html lang="pl">[^]*<td lang="pl"[^]*<td lang="en"/);
  });
});
