import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { sendWhileReceiving } from "~/server/front-door/refused-upload.server";

const PIECES = 20;

/** Refuses an upload, and tells how many of its pieces were taken and whether its answer has ended. */
async function refuse(): Promise<{ readonly taken: () => number; readonly isOver: () => boolean }> {
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
  return { taken: () => taken, isOver: () => end.mock.calls.length > 0 };
}

it("[S63] refused uploads are thrown away piece by piece, so that others are answered meanwhile", async () => {
  const uploads = await Promise.all(Array.from({ length: 40 }, refuse));
  const taken = () => uploads.reduce((sum, one) => sum + one.taken(), 0);
  // The first piece of each arrives unasked.
  await turn();
  let most = 0;
  while (!uploads.every(({ isOver }) => isOver())) {
    const before = taken();
    await turn();
    most = Math.max(most, taken() - before);
  }
  expect(taken()).toBe(40 * (PIECES + 1));
  // Each upload that goes on reads one piece ahead.
  expect(most).toBeLessThanOrEqual(8);
});
