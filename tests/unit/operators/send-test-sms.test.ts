import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type CommandResult, runCommand, startCommand } from "../../operator-command";
import { type Behaviour, type SmsapiServer, startSmsapiServer } from "../../smsapi-server";

const NUMBER = "+48500100042";
const DIGITS = "500100042";

describe("portal send-test --sms", () => {
  let server: SmsapiServer;
  beforeEach(async () => {
    server = await startSmsapiServer();
  });
  afterEach(() => server.close());

  const gateway = () => ({
    SMS_GATEWAY: "smsapi",
    SMS_SMSAPI_URL: server.url,
    SMS_SMSAPI_TOKEN: server.token,
    SMS_SENDER: "Tarnea",
    LIMIT_SMS_SEND_MS: "3000",
  });

  /** Runs it with these words, and with the gateway's variables unless others are given. */
  const smsTest = (
    words: readonly string[],
    input: string,
    variables: Readonly<Record<string, string>> = gateway(),
  ): Promise<CommandResult> =>
    runCommand({ PORTAL_MODE: "demo", ...variables }, ["send-test", ...words], input);

  it("[S137] sends one message that says it is a test, and prints what the gateway calls it", async () => {
    // A process of the build, which loads the texts only when it sends.
    const command = startCommand({ PORTAL_MODE: "demo", ...gateway() }, ["send-test", "--sms", "--to", "-"]);
    command.input.end(`${NUMBER}\n`);
    const done = await command.ended;
    expect(done).toEqual({ code: 0, stdout: "gateway: smsapi\nkind: accepted\nid: 63731\n", stderr: "" });
    expect(server.sent).toMatchObject([{ number: `48${DIGITS}` }]);
    expect(server.sent[0]?.message).toMatch(/wiadomosc probna/);
    expect(server.sent[0]?.message).not.toMatch(/\d{6}/);
  });

  it("[S137] sends through the second gateway with --sms-fallback, and not through the first", async () => {
    const second = await startSmsapiServer();
    onTestFinished(() => second.close());
    const first = { SMS_GATEWAY: "smsapi", SMS_SMSAPI_URL: server.url, SMS_SMSAPI_TOKEN: server.token };
    const done = await smsTest(["--sms-fallback", "--to", "-"], NUMBER, {
      ...first,
      SMS_SENDER: "Tarnea",
      SMS_FALLBACK_GATEWAY: "smsapi",
      SMS_FALLBACK_SMSAPI_URL: second.url,
      SMS_FALLBACK_SMSAPI_TOKEN: second.token,
      SMS_FALLBACK_SENDER: "Tarnea",
    });
    expect(done).toEqual({
      code: 0,
      stdout: "gateway: smsapi-fallback\nkind: accepted\nid: 63731\n",
      stderr: "",
    });
    expect([server.sent.length, second.sent.length]).toEqual([0, 1]);
  });

  it.each<[string, Behaviour, string]>([
    ["refuses it", { error: 13 }, "kind: refused\nreason: error 13: the number cannot receive"],
    ["doesn't know the token", { error: 101 }, "kind: later\nreason: error 101: invalid token"],
    ["doesn't answer", "silent", "kind: later\nreason: no answer in time"],
    ["hangs up", "broken-off", "kind: later\nreason: unreachable"],
  ])("[S137] says that the gateway %s, and exits with 1", async (_what, behaviour, lines) => {
    server.behave(behaviour);
    const limit = behaviour === "silent" ? { LIMIT_SMS_SEND_MS: "300" } : {};
    const { code, stdout, stderr } = await smsTest(["--sms", "--to", "-"], NUMBER, {
      ...gateway(),
      ...limit,
    });
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain(`gateway: smsapi\n${lines}\n`);
    expect(server.requests()).toBe(1);
  });

  it.each<[what: string, words: string, input: string, line: string, variables?: Record<string, string>]>([
    ["a number on the command line", `--sms --to ${NUMBER}`, "", "--to: expected -, with the number"],
    ["a number abroad", "--sms --to -", "+49500100001", "of a country in SMS_PREFIXES"],
    ["a number that never ends", "--sms --to -", "5".repeat(5000), "--to: expected a phone number"],
    ["no second gateway", "--sms-fallback --to -", NUMBER, "SMS_FALLBACK_GATEWAY is not set"],
    ["no way", "--to -", NUMBER, "expected one of --sms, --sms-fallback and --mail"],
    ["no gateway", "--sms --to -", NUMBER, "SMS_GATEWAY: expected smsapi or webhook", {}],
    [
      "an attached backend",
      "--sms --to -",
      NUMBER,
      "BACKEND_URL is set",
      { BACKEND_URL: "http://127.0.0.1:1" },
    ],
  ])(
    "[S137] answers %s in one line, exits with 2, and sends nothing",
    async (_what, words, input, line, variables) => {
      const { code, stdout, stderr } = await smsTest(words.split(" "), input, variables);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(line);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(stderr).not.toContain(DIGITS);
      expect(server.requests()).toBe(0);
    },
  );
});
