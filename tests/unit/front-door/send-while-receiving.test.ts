import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { sendWhileReceiving } from "~/front-door/refused-upload.server";

it("[S63] a refused upload is thrown away piece by piece, so that others are answered meanwhile", async () => {
  const PIECES = 100;
  let taken = 0;
  const upload = new Readable({
    read() {
      taken += 1;
      this.push(taken > PIECES ? null : Buffer.alloc(100_000));
    },
  });
  const [write, end] = [vi.fn(), vi.fn()];
  const response = { destroyed: false, writeHead: vi.fn(), flushHeaders: vi.fn(), write, end };
  await sendWhileReceiving(
    upload as unknown as IncomingMessage,
    response as unknown as ServerResponse,
    new Response("too large", { status: 413 }),
  );
  expect(write).toHaveBeenCalledOnce();
  let turns = 0;
  while (end.mock.calls.length === 0) {
    await turn();
    turns += 1;
  }
  expect(taken).toBe(PIECES + 1);
  expect(turns).toBeGreaterThanOrEqual(PIECES - 1);
});
