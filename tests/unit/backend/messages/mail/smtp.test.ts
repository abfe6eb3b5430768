import { createServer } from "node:net";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { smtpServer, type OutgoingMail } from "~/backend/messages/smtp.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { mailSettings, type MailSettings } from "~/platform/config/mail-variables.server";
import {
  type Behaviour,
  MAIL_FROM,
  MAIL_PASSWORD,
  type SmtpServer,
  startRudeServer,
  startSmtpServer,
} from "../../../../smtp-server";

const MAIL: OutgoingMail = {
  id: "0123-mail",
  to: "anna.nowak@example.pl",
  sentAt: Date.UTC(2026, 10, 20, 12),
  subject: "Tarnea: zażółć gęślą jaźń",
  text: "Zażółć gęślą jaźń.\n\n.\nKropka.",
  html: "<p>Zażółć gęślą jaźń.</p>",
};

function settingsOf(env: Readonly<Record<string, string>>): MailSettings {
  const reading = readEnvironment(env);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  const settings = mailSettings(reading.environment);
  if (!settings) throw new Error("no mail server");
  return settings;
}

const never = new AbortController().signal;
const sendBy = (settings: MailSettings, { timeoutMs = 300_000, signal = never, mail = MAIL } = {}) =>
  smtpServer(settings, { name: "Tarnea Ubezpieczenia", timeoutMs }).send(mail, signal);
const LATER = { kind: "later", alarm: false } as const;
const ALARM = { kind: "later", alarm: true } as const;

describe("the mail server", () => {
  const running: Pick<SmtpServer, "stop">[] = [];
  const keep = <One extends Pick<SmtpServer, "stop">>(one: One): One => {
    running.push(one);
    return one;
  };
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });

  it.each(["at-once", "starttls"] as const)("[S149] gets an e-mail over TLS, %s", async (tls) => {
    const server = keep(await startSmtpServer(tls));
    expect(await sendBy(settingsOf(server.env))).toEqual({ kind: "accepted" });
    const [mail] = server.mails();
    expect(mail).toMatchObject({ from: MAIL_FROM, to: [MAIL.to], isEncrypted: true });
    expect(mail?.text.trimEnd()).toBe(MAIL.text);
    expect(mail?.html.trimEnd()).toBe(MAIL.html);
    expect(mail?.head).toContain(`From: Tarnea Ubezpieczenia <${MAIL_FROM}>`);
    expect(mail?.head).toContain("Message-ID: <0123-mail@insurer.example>");
    expect(mail?.head).toContain("Auto-Submitted: auto-generated");
    expect(mail?.head).toContain("Date: Fri, 20 Nov 2026 12:00:00 +0000");
  });

  it.each(["!#$%&'*+/=?^_`{|}~-.9@example.pl", "anna@xn--w-uga1v8h.xn--p1ai"])(
    "gets an address of any form that an import keeps: %s",
    async (to) => {
      const server = keep(await startSmtpServer("at-once"));
      const mail = { ...MAIL, to };
      expect(await sendBy(settingsOf(server.env), { mail })).toEqual({ kind: "accepted" });
      // The test's server shows the domain of the envelope in Unicode.
      expect(server.mails()[0]?.head).toContain(`To: ${to}`);
    },
  );

  it("[S149] gets one address, whatever an import has as such", async () => {
    const server = keep(await startSmtpServer());
    const mail = { ...MAIL, to: "anna@example.pl, thief@example.com" };
    expect(await sendBy(settingsOf(server.env), { mail })).toEqual({
      kind: "refused",
      reason: "not an address",
    });
    expect(server.offered()).toBe(0);
  });

  it.each<[Behaviour, object]>([
    ["refuses-recipient", { kind: "refused", reason: "status 550" }],
    ["refuses-message", { kind: "refused", reason: "status 554" }],
    ["refuses-sender", { ...ALARM, reason: "status 554" }],
    ["greylists", { ...LATER, reason: "status 451" }],
    ["hangs-up", { ...LATER, reason: "unreachable" }],
  ])("[S150] that %s is told so, in our words", async (behaviour, delivery) => {
    const server = keep(await startSmtpServer());
    server.behave(behaviour);
    expect(await sendBy(settingsOf(server.env))).toEqual(delivery);
  });

  it("[S150] that never answers has a time limit, whatever it does slowly", async () => {
    const hanging = keep(await startSmtpServer());
    hanging.behave("hangs");
    const silent = keep(await startRudeServer(""));
    const withoutTls = keep(await startRudeServer(undefined));
    const babbling = keep(await startRudeServer("220-a line that has no end\r\n"));
    for (const { env } of [hanging, silent, withoutTls, babbling])
      expect(await sendBy(settingsOf(env), { timeoutMs: 400 })).toEqual({
        ...LATER,
        reason: "no answer in time",
      });
  });

  it("[S150] that talks nonsense gets nothing", async () => {
    for (const says of ["HTTP/1.1 400 Bad Request\r\n\r\n", "\0\r\n", "999 ok\r\n"]) {
      const { env } = keep(await startRudeServer(says));
      expect(await sendBy(settingsOf(env), { timeoutMs: 2000 })).toMatchObject({ kind: "later" });
    }
  });

  it("[S150] is left at once when the portal stops", async () => {
    const server = keep(await startSmtpServer());
    server.behave("hangs");
    const stop = new AbortController();
    const sent = sendBy(settingsOf(server.env), { signal: stop.signal });
    await expect.poll(server.offered).toBe(1);
    stop.abort();
    expect(await sent).toEqual({ ...LATER, reason: "the portal is stopping" });
  });

  it("[S151] gets neither password nor e-mail without TLS, or with a certificate that isn't trusted", async () => {
    const plain = keep(await startSmtpServer("none"));
    const encrypted = keep(await startSmtpServer());
    const { SMTP_FROM, SMTP_CA_FILE } = encrypted.env;
    const withLogin = plain.env.SMTP_URL.replace(
      "//",
      `//portal%40insurer:${encodeURIComponent(MAIL_PASSWORD)}@`,
    );
    expect(await sendBy(settingsOf({ SMTP_URL: withLogin, SMTP_FROM, SMTP_CA_FILE }))).toMatchObject(ALARM);
    const distrusted = settingsOf({ SMTP_URL: encrypted.env.SMTP_URL, SMTP_FROM });
    expect(await sendBy(distrusted)).toEqual({ ...ALARM, reason: "its certificate is refused" });
    expect([plain.offered(), encrypted.offered()]).toEqual([0, 0]);
    expect([plain.logins(), encrypted.logins()]).toEqual([0, 0]);
  });

  it("[S150] that doesn't take the password, or needs one, raises the alarm", async () => {
    const server = keep(await startSmtpServer());
    const wrong = server.env.SMTP_URL.replace(encodeURIComponent(MAIL_PASSWORD), "wrong");
    const without = server.env.SMTP_URL.replace(/\/\/.*@/, "//");
    expect(await sendBy(settingsOf({ ...server.env, SMTP_URL: wrong }))).toEqual({
      ...ALARM,
      reason: "status 535",
    });
    expect(await sendBy(settingsOf({ ...server.env, SMTP_URL: without }))).toEqual({
      ...ALARM,
      reason: "status 530",
    });
    expect(server.offered()).toBe(0);
  });

  it("on this machine may do without TLS and a login, unless a CA is named", async () => {
    const server = keep(await startSmtpServer("none"));
    const { SMTP_URL, SMTP_FROM, SMTP_CA_FILE } = server.env;
    expect(await sendBy(settingsOf({ SMTP_URL, SMTP_FROM }))).toEqual({ kind: "accepted" });
    expect(await sendBy(settingsOf({ SMTP_URL, SMTP_FROM, SMTP_CA_FILE }))).toMatchObject(ALARM);
    expect(server.mails()).toHaveLength(1);
  });

  it("[S150] that is not there is no alarm", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const address = gone.address();
    gone.close();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const env = { SMTP_URL: `smtps://127.0.0.1:${port}`, SMTP_FROM: MAIL_FROM };
    expect(await sendBy(settingsOf(env))).toEqual({ ...LATER, reason: "unreachable" });
  });

  it("greets without sending anything", async () => {
    const server = keep(await startSmtpServer());
    const greet = (settings: MailSettings) => smtpServer(settings, { name: "", timeoutMs: 2000 }).greet();
    expect(await greet(settingsOf(server.env))).toEqual({ kind: "accepted" });
    const wrong = server.env.SMTP_URL.replace(encodeURIComponent(MAIL_PASSWORD), "wrong");
    expect(await greet(settingsOf({ ...server.env, SMTP_URL: wrong }))).toEqual({
      ...ALARM,
      reason: "status 535",
    });
    const silent = keep(await startRudeServer(""));
    const settings = settingsOf(silent.env);
    expect(await smtpServer(settings, { name: "", timeoutMs: 300 }).greet()).toEqual({
      ...LATER,
      reason: "no answer in time",
    });
    expect(server.offered()).toBe(0);
  });
});

describe("the variables of the mail server", () => {
  const problemsOf = (source: Readonly<Record<string, string>>) => {
    const reading = readEnvironment(source);
    return reading.ok ? [] : reading.problems;
  };

  it("have usual ports, and a login or none", () => {
    const SMTP_FROM = MAIL_FROM;
    expect(settingsOf({ SMTP_URL: "smtps://mail.insurer.example", SMTP_FROM })).toMatchObject({
      host: "mail.insurer.example",
      port: 465,
      login: undefined,
      isTlsNeeded: true,
    });
    expect(settingsOf({ SMTP_URL: "smtp://a%40b:p%2Fq@[2001:db8::1]/", SMTP_FROM })).toMatchObject({
      host: "2001:db8::1",
      port: 587,
      isTlsAtOnce: false,
      login: { user: "a@b", pass: "p/q" },
      isTlsNeeded: true,
    });
  });

  it("[S151] are refused by name, without their values", () => {
    for (const url of [
      "https://name:kanarek@mail.insurer.example",
      "smtps://kanarek@mail.insurer.example",
      "smtps://name:kanarek@mail.insurer.example/?tls=off",
      "smtps://name:kanarek%zz@mail.insurer.example",
      "kanarek",
    ]) {
      const problems = problemsOf({ SMTP_URL: url, SMTP_FROM: MAIL_FROM });
      expect(problems).toEqual([expect.stringMatching(/^SMTP_URL: expected smtps:/)]);
      expect(problems.join("")).not.toContain("kanarek");
    }
  });

  it.each<[Readonly<Record<string, string>>, RegExp]>([
    [{ SMTP_URL: "smtps://mail.insurer.example" }, /^SMTP_FROM: expected with SMTP_URL$/],
    [{ SMTP_FROM: MAIL_FROM }, /^SMTP_FROM: expected only with SMTP_URL$/],
    [{ SMTP_URL: "smtps://mail.insurer.example", SMTP_FROM: "portal" }, /^SMTP_FROM: expected an e-mail/],
    [{ SMTP_URI: "smtps://mail.insurer.example" }, /^SMTP_URI: unknown variable$/],
    [
      { SMTP_URL: "smtps://mail.insurer.example", SMTP_FROM: MAIL_FROM, SMTP_CA_FILE: "package.json" },
      /^SMTP_CA_FILE: expected a PEM file/,
    ],
  ])("%o is refused at the start", (source, problem) => {
    expect(problemsOf(source)).toEqual([expect.stringMatching(problem)]);
  });

  it("give no mail server to a portal with an attached backend", () => {
    const reading = readEnvironment({
      BACKEND_URL: "http://127.0.0.1:1",
      SMTP_URL: "smtps://mail.insurer.example",
      SMTP_FROM: MAIL_FROM,
    });
    expect(reading.ok && mailSettings(reading.environment)).toBeUndefined();
  });
});
