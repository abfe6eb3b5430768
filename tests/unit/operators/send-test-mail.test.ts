import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandResult, runCommand, startCommand } from "../../operator-command";
import { type Behaviour, MAIL_PASSWORD, type SmtpServer, startSmtpServer } from "../../smtp-server";
import { onAnyDatabase } from "../../database";
import { openTestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";

const ADDRESS = "anna.kanarek@example.pl";
const DEMO = { PORTAL_MODE: "demo", LIMIT_MAIL_SEND_MS: "3000" };
const PASSWORDS = [MAIL_PASSWORD, encodeURIComponent(MAIL_PASSWORD)];

describe("portal send-test --mail", () => {
  let server: SmtpServer;
  beforeEach(async () => {
    server = await startSmtpServer();
  });
  afterEach(() => server.stop());

  const mailTest = (
    words: readonly string[],
    input: string,
    variables: Readonly<Record<string, string>> = server.env,
  ): Promise<CommandResult> =>
    runCommand({ ...DEMO, ...variables }, ["send-test", "--mail", ...words], input);

  it("[S137] sends one e-mail that says it is a test, in both languages and our look", async () => {
    // A process of the build, which loads the texts and the mailer only when it sends.
    const command = startCommand({ ...DEMO, ...server.env }, ["send-test", "--mail", "--to", "-"]);
    command.input.end(`${ADDRESS}\n`);
    const done = await command.ended;
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toContain(`server: 127.0.0.1:${server.port}\nkind: accepted\n`);
    expect(server.mails()).toMatchObject([{ to: [ADDRESS], isEncrypted: true }]);
    expect(server.mails()[0]?.text).toMatch(/Wiadomość próbna[^]*A test message/);
    expect(server.mails()[0]?.html).toContain("Tarnea Ubezpieczenia");
  });

  it.each<[Behaviour, string]>([
    ["refuses-recipient", "kind: refused\nreason: status 550"],
    ["greylists", "kind: later\nreason: status 451"],
    ["hangs", "kind: later\nreason: no answer in time"],
    ["hangs-up", "kind: later\nreason: unreachable"],
  ])("[S137] says that the server %s, and exits with 1", async (behaviour, said) => {
    server.behave(behaviour);
    const limit = behaviour === "hangs" ? { LIMIT_MAIL_SEND_MS: "300" } : {};
    const { code, stdout, stderr } = await mailTest(["--to", "-"], ADDRESS, { ...server.env, ...limit });
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain(`server: 127.0.0.1:${server.port}\n${said}\n`);
  });

  it.each<[string, readonly string[], string, Readonly<Record<string, string>> | undefined, RegExp]>([
    ["two addresses", ["--to", "-"], `${ADDRESS},${ADDRESS}`, undefined, /--to: expected an e-mail address/],
    ["no mail server", ["--to", "-"], ADDRESS, {}, /SMTP_URL: expected/],
    [
      "a wrong address of the server",
      ["--to", "-"],
      ADDRESS,
      { SMTP_URL: "smtps://kanarek@127.0.0.1", SMTP_FROM: "a@b.pl" },
      /SMTP_URL: expected smtps/,
    ],
  ])(
    "[S137, S151] answers %s in one line, exits with 2, and sends nothing",
    async (_what, words, input, variables, line) => {
      const { code, stdout, stderr } = await mailTest(words, input, variables);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(line);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(stderr).not.toContain("kanarek");
      expect(server.offered()).toBe(0);
    },
  );
});

onAnyDatabase((kind) => {
  it("portal doctor says whether the mail server can be used, and how long e-mails wait", async () => {
    const way = await openTestBackend({ kind });
    const good = await startSmtpServer();
    const said = async (env: Readonly<Record<string, string>>) => {
      const { stdout, stderr } = await runCommand({ ...variablesOf(way.place), ...env }, ["doctor"]);
      for (const password of [...PASSWORDS, "kanarek"]) expect(stdout + stderr).not.toContain(password);
      return stdout.split("\n").filter((line) => line.includes("mail "));
    };
    expect(await said({})).toEqual([
      expect.stringMatching(/^ok +mail server: none: SMTP_URL is not set/),
      expect.stringMatching(/^ok +mail queue: no e-mail waits$/),
    ]);
    await way.change(
      `insert into messages
      (id, purpose, state, event, request_id, tries, due_at, changed_at, written_at, ends_at)
      values ('1', 'mail-notice', 'waiting', 'password-changed', '', 0, 0, 0, ?, ?)`,
      Date.now() - 2 * 3_600_000,
      Date.now() + 3_600_000,
    );
    expect((await said({}))[1]).toMatch(
      /^warning +mail queue: the oldest e-mail has waited for 120 minutes: see/,
    );
    expect((await said(good.env))[0]).toMatch(/^ok +mail server: 127\.0\.0\.1:\d+ is reached$/);
    const wrong = { ...good.env, SMTP_URL: good.env.SMTP_URL.replace(/:[^:@]+@/, ":kanarek@") };
    expect((await said(wrong))[0]).toMatch(
      /^problem +mail server: 127\.0\.0\.1:\d+ can't be used: status 535; customers get no e-mails$/,
    );
    await Promise.all([good.stop(), way.close()]);
  });
});
