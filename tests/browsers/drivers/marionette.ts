import type { Socket } from "node:net";
import { WebDriverError, type Send } from "./webdriver";

/**
 * A message is its length in bytes, a colon, and JSON. A command is `[0, number, name, parameters]`, and its answer
 * `[1, number, error, result]`.
 */
type Answer = readonly [1, number, { readonly error: string; readonly message: string } | null, unknown];

/** A session with Firefox. */
export interface Marionette {
  readonly version: string;
  readonly send: Send;
  /** Runs a command that WebDriver does not have. */
  readonly command: (name: string, parameters?: object) => Promise<unknown>;
}

/** Speaks Firefox's own protocol, which carries WebDriver commands under their own names. */
export async function marionette(socket: Socket): Promise<Marionette> {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  let greeted = () => {};
  const greeting = new Promise<void>((resolve) => (greeted = resolve));
  read(socket, (message) => {
    if (!Array.isArray(message)) {
      greeted();
      return;
    }
    const answer = message as unknown as Answer;
    waiting.get(answer[1])?.(answer);
    waiting.delete(answer[1]);
  });
  const command = (name: string, parameters: object = {}) =>
    new Promise((resolve, reject) => {
      const number = (last += 1);
      waiting.set(number, ([, , error, result]) => {
        if (error) reject(new WebDriverError(error.error, `${name}: ${error.message}`));
        else resolve(unwrapped(result));
      });
      const text = JSON.stringify([0, number, name, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  await greeting;
  const session = (await command("WebDriver:NewSession", { acceptInsecureCerts: true })) as {
    readonly capabilities: { readonly browserVersion: string };
  };
  return {
    version: session.capabilities.browserVersion,
    command,
    send: (name, parameters) => command(`WebDriver:${name}`, parameters),
  };
}

/** Lists arrive as they are, single values inside an object. */
function unwrapped(result: unknown): unknown {
  return typeof result === "object" && result !== null && "value" in result ? result.value : result;
}

function read(socket: Socket, heard: (message: unknown) => void): void {
  let rest = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const colon = rest.indexOf(":");
      const end = colon + 1 + Number(rest.subarray(0, colon).toString());
      if (colon < 0 || rest.length < end) return;
      heard(JSON.parse(rest.subarray(colon + 1, end).toString()));
      rest = rest.subarray(end);
    }
  });
}
