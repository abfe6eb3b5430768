import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message sent by an account at SMSAPI.pl. */
export interface SentSms {
  readonly from: string;
  readonly number: string;
  readonly message: string;
  readonly idx: string;
}

/**
 * How the server behaves: as documented; with one of its errors, for the request or for the recipient; or the ways
 * servers and networks fail. `lost`: the SMS goes out, but the answer doesn't arrive. `late`: it arrives once the server
 * behaves otherwise.
 */
export type Behaviour =
  | "documented"
  | "lost"
  | "late"
  | "silent"
  | "broken-off"
  | "nonsense"
  | "too-long"
  | "redirect"
  | { readonly status: number }
  | { readonly error: number }
  | { readonly recipientError: number };

/** A local SMSAPI.pl: its addresses, parameters, answers and errors, as documented. */
export interface SmsapiServer {
  readonly url: string;
  readonly token: string;
  /** The messages that went out to phones. */
  readonly sent: readonly SentSms[];
  /** Sets the status it reports for a message, asked by its id; `SENT` until a test says otherwise. */
  report(status: string): void;
  /** How many requests it has had. */
  requests(): number;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

const SENDERS: ReadonlySet<string> = new Set(["Tarnea"]);

/** Starts a server with one account, one registered sender and no messages. */
export async function startSmsapiServer(): Promise<SmsapiServer> {
  const token = "kT4vR9wZ2mXc7bLq1sHd8fJn3pGy6aEuBo5W";
  const sent: SentSms[] = [];
  let behaviour: Behaviour = "documented";
  let requests = 0;
  let status = "SENT";
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    requests += 1;
    void answer(request, response, { token, sent, behaviour, status, held });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms.do`,
    token,
    sent,
    requests: () => requests,
    report: (next) => {
      status = next;
    },
    behave: (next) => {
      behaviour = next;
      for (const answerLate of held.splice(0)) answerLate();
    },
    close: () => stop(server),
  };
}

interface Account {
  readonly token: string;
  readonly sent: SentSms[];
  readonly behaviour: Behaviour;
  readonly status: string;
  /** Answers that are late. */
  readonly held: (() => void)[];
}

async function answer(request: IncomingMessage, response: ServerResponse, account: Account): Promise<void> {
  const { behaviour } = account;
  const form = new URLSearchParams(await bodyOf(request));
  const say = (status: number, body: object | string) => {
    const location = behaviour === "redirect" ? { Location: "http://127.0.0.1:1/sms.do" } : {};
    response.writeHead(status, { "Content-Type": "application/json", ...location });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  switch (behaviour) {
    case "silent":
      return;
    case "broken-off":
      request.socket.destroy();
      return;
    case "nonsense":
      say(200, "<html>Zaraz wracamy</html>");
      return;
    case "too-long":
      say(200, `{"count":1,"list":[${" ".repeat(1_000_000)}]}`);
      return;
    case "redirect":
      say(302, "");
      return;
    case "late":
      work(request, form, account, (...answered) => {
        account.held.push(() => {
          say(...answered);
        });
      });
      return;
    default:
      work(request, form, account, say);
  }
}

/** The real server's work on a request. */
function work(
  request: IncomingMessage,
  form: URLSearchParams,
  account: Account,
  say: (status: number, body: object | string) => void,
): void {
  const { behaviour } = account;
  if (typeof behaviour === "object" && "status" in behaviour) {
    say(behaviour.status, "Bad Gateway");
    return;
  }
  const error =
    typeof behaviour === "object" && "error" in behaviour ? behaviour.error : errorOf(request, form, account);
  if (error !== undefined) {
    say(200, { error, message: `Nothing sent to ${form.get("to") ?? ""}`, invalid_numbers: [] });
    return;
  }
  const asked = form.get("status");
  if (asked !== null) {
    say(200, { count: 1, list: [{ id: asked, status: account.status, error: null }] });
    return;
  }
  const sms = {
    from: form.get("from") ?? "",
    number: form.get("to") ?? "",
    message: form.get("message") ?? "",
    idx: form.get("idx") ?? "",
  };
  const recipientError =
    typeof behaviour === "object" && "recipientError" in behaviour ? behaviour.recipientError : null;
  if (recipientError === null && form.get("test") !== "1") account.sent.push(sms);
  if (behaviour === "lost") {
    request.socket.destroy();
    return;
  }
  say(200, {
    count: 1,
    list: [
      {
        id: `6373${account.sent.length}`,
        points: 0.16,
        number: sms.number,
        date_sent: 1_795_000_000,
        submitted_number: sms.number,
        status: "QUEUE",
        error: recipientError,
        idx: sms.idx,
        parts: 1,
      },
    ],
  });
}

/** The real server's checks in its order, as far as they apply to a single SMS. */
function errorOf(
  { url, method, headers }: IncomingMessage,
  form: URLSearchParams,
  { token, sent }: Account,
): number | undefined {
  if (url !== "/sms.do" || method !== "POST" || form.get("format") !== "json") return 8;
  if (headers.authorization !== `Bearer ${token}`) return 101;
  if (form.has("status")) return undefined;
  if (!SENDERS.has(form.get("from") ?? "Test")) return 14;
  if (!/^48[4-8]\d{8}$/.test(form.get("to") ?? "")) return 13;
  if ((form.get("message") ?? "") === "" || form.get("encoding") !== "utf-8") return 11;
  const idx = form.get("idx") ?? "";
  if (idx.length > 255) return 27;
  if (form.get("check_idx") === "1" && sent.some((sms) => sms.idx === idx)) return 53;
  return undefined;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
