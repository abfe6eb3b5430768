import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { Message } from "../portal";

/** The body that the portal posts (docs/decisions/sms.md). */
const POSTED = z.object({ id: z.string(), to: z.string(), text: z.string(), sentAt: z.string() });

/** The server that portals post their text messages to. It sends a message once, however often it gets it. */
export interface SmsServer {
  /** The variables portals need to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** The messages received, newest first. */
  readonly messages: () => readonly Message[];
  readonly stop: () => Promise<void>;
}

const TOKEN = "token-of-the-tests-own-gateway";

/** Starts a server on a free port of 127.0.0.1. */
export async function startSmsServer(): Promise<SmsServer> {
  const taken = new Map<string, Message>();
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const message = POSTED.safeParse(JSON.parse(text));
      const known = request.headers.authorization === `Bearer ${TOKEN}` && message.success;
      if (known && !taken.has(message.data.id)) taken.set(message.data.id, message.data);
      response.writeHead(known ? 202 : 400).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      SMS_GATEWAY: "webhook",
      SMS_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
      SMS_WEBHOOK_TOKEN: TOKEN,
      // The newest message is the code.
      SMS_NOTICES: "off",
    },
    messages: () => [...taken.values()].toSorted((one, other) => other.sentAt.localeCompare(one.sentAt)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
