import { createServer } from "node:http";
import { createInterface } from "node:readline/promises";

/**
 * Asks for codes at the terminal. The promises are tested in a process without one, which asks here by HTTP, one code at
 * a time.
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function askAtTerminal() {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  let last = Promise.resolve("");
  const server = createServer((request, response) => {
    const phone = new URL(request.url, "http://localhost").searchParams.get("phone");
    const ask = () => terminal.question(`        the newest code sent to ${phone}: `);
    // Once the terminal is closed there are no more codes.
    last = last.then(ask).catch(() => "");
    void last.then((code) => response.end(code.replace(/\s/g, "")));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: async () => {
      terminal.close();
      await new Promise((closed) => server.close(closed));
    },
  };
}
