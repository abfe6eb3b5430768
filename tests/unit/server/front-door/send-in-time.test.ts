import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { sendInTime, type ReadLimits } from "~/server/front-door/slow-readers.server";

const PIECE = new Uint8Array(64 * 1024);
/** More pieces than a system buffers for a reader who has stopped reading. */
const MANY = 1000;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The source of an answer, and whether it was cancelled. */
interface Source {
  readonly body: ReadableStream<Uint8Array>;
  readonly cancelled: Promise<void>;
}

/** @param nextPiece awaited before each piece */
function source(pieces: number, nextPiece: () => Promise<void> = () => Promise.resolve()): Source {
  let cancel: () => void = () => undefined;
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  let given = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await nextPiece();
        given += 1;
        controller.enqueue(PIECE.slice());
        if (given === pieces) controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { body, cancelled };
}

/** The answer of a server that sends this source, unread. */
async function answerWith({ body }: Source, limits: ReadLimits): Promise<IncomingMessage> {
  server = createServer((_request, response) => {
    sendInTime(response, new Response(body), limits).catch(() => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: "127.0.0.1", agent: false }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return answer;
}

async function lengthOf(answer: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const piece of answer) length += (piece as Buffer).byteLength;
  return length;
}

it("[S128] a reader who stops is cut off, and what is made for them is given up", async () => {
  const endless = source(MANY);
  const answer = await answerWith(endless, { DOCUMENT_BYTES_PER_SECOND: 1_000_000, DOCUMENT_BEHIND_MS: 50 });
  await endless.cancelled;
  await expect(lengthOf(answer)).rejects.toThrow("aborted");
});

it("[S128] a reader who goes on reading, but too slowly, is cut off", async () => {
  const endless = source(MANY);
  const answer = await answerWith(endless, {
    DOCUMENT_BYTES_PER_SECOND: 1_000_000_000,
    DOCUMENT_BEHIND_MS: 20,
  });
  const slowly = async () => {
    const pieces = answer[Symbol.asyncIterator]();
    while ((await pieces.next()).done !== true) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await expect(slowly()).rejects.toThrow("aborted");
  await endless.cancelled;
});

it("a slow source is not its reader's fault", async () => {
  const slow = source(5, () => new Promise((resolve) => setTimeout(resolve, 60)));
  const answer = await answerWith(slow, { DOCUMENT_BYTES_PER_SECOND: 1_000_000_000, DOCUMENT_BEHIND_MS: 50 });
  expect(await lengthOf(answer)).toBe(5 * PIECE.byteLength);
});

it("a reader who is fast enough gets everything", async () => {
  const answer = await answerWith(source(MANY), {
    DOCUMENT_BYTES_PER_SECOND: 1000,
    DOCUMENT_BEHIND_MS: 20_000,
  });
  expect(await lengthOf(answer)).toBe(MANY * PIECE.byteLength);
});
