import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { done } from "~/contract/refusal.server";
import { Downloads, type DownloadEnds, type DownloadPlace } from "~/backend/documents/downloads.server";

const LIMITS = { DOCUMENTS_AT_ONCE: 3, DOCUMENT_PLACES: 1, PDF_WAITING: 2, PDF_MS: 8000 };
const FILE = done({ fileName: "a.pdf", bytes: 1, body: new ReadableStream<Uint8Array>() });
const BUSY = { kind: "busy" };

/** A client that can leave, and a document that can run out of time. */
function client() {
  const [late, left] = [new AbortController(), new AbortController()];
  const ends: DownloadEnds = { late: late.signal, left: left.signal };
  return { ends, late, left };
}

/** Work that a test finishes. */
function work() {
  let finish: () => void = () => undefined;
  const finished = new Promise<typeof FILE>((resolve) => {
    finish = () => {
      resolve(FILE);
    };
  });
  let place: DownloadPlace | undefined;
  const make = (taken: DownloadPlace) => {
    place = taken;
    return finished;
  };
  return {
    make,
    finish,
    hasBegun: () => place !== undefined,
    place: () => {
      if (!place) throw new Error("the work has not begun");
      return place;
    },
  };
}

it("[S128] a place that is given back twice is still one place", async () => {
  const downloads = new Downloads(LIMITS);
  const [first, second, third] = [work(), work(), work()];
  first.finish();
  await downloads.run("a", client().ends, first.make);
  first.place().end();
  first.place().end();
  void downloads.run("b", client().ends, second.make);
  void downloads.run("c", client().ends, third.make);
  await setImmediate();
  expect([second.hasBegun(), third.hasBegun()]).toEqual([true, false]);
});

it("[S128] whoever waits for more than half of the time, or behind too many, is told to come back", async () => {
  const downloads = new Downloads({ ...LIMITS, PDF_MS: 10 });
  void downloads.run("a", client().ends, work().make);
  const [patient, other] = [work(), work()];
  const waiting = downloads.run("b", client().ends, patient.make);
  void downloads.run("c", client().ends, other.make);
  expect(await downloads.run("d", client().ends, work().make)).toMatchObject(BUSY);
  expect(await waiting).toMatchObject(BUSY);
  expect(patient.hasBegun()).toBe(false);
});

it("[S128] work that is not done in time is answered 503, and gives its place back", async () => {
  const downloads = new Downloads(LIMITS);
  const slow = work();
  const { ends, late } = client();
  const answer = downloads.run("a", ends, slow.make);
  late.abort();
  slow.finish();
  expect(await answer).toMatchObject(BUSY);
  const next = work();
  void downloads.run("b", client().ends, next.make);
  await setImmediate();
  expect(next.hasBegun()).toBe(true);
});

it("[S128] a client that leaves gives its place back, but not before its work is done", async () => {
  const downloads = new Downloads(LIMITS);
  const [first, second] = [work(), work()];
  const { ends, left } = client();
  const answer = downloads.run("a", ends, first.make);
  void downloads.run("b", client().ends, second.make);
  left.abort();
  await setImmediate();
  expect(second.hasBegun()).toBe(false);
  first.finish();
  await answer;
  await setImmediate();
  expect(second.hasBegun()).toBe(true);
});

it("[S128] a client that leaves while its answer is unread gives its place back", async () => {
  const downloads = new Downloads(LIMITS);
  const [first, second] = [work(), work()];
  const { ends, left } = client();
  first.finish();
  await downloads.run("a", ends, first.make);
  void downloads.run("b", client().ends, second.make);
  left.abort();
  await setImmediate();
  expect(second.hasBegun()).toBe(true);
});

it("[S128] a client that leaves the queue leaves it to the others", async () => {
  const downloads = new Downloads({ ...LIMITS, PDF_WAITING: 1 });
  const [first, second] = [work(), work()];
  void downloads.run("a", client().ends, first.make);
  const { ends, left } = client();
  const leaving = downloads.run("b", ends, work().make);
  left.abort();
  await leaving;
  void downloads.run("c", client().ends, second.make);
  first.finish();
  await setImmediate();
  first.place().end();
  await setImmediate();
  expect(second.hasBegun()).toBe(true);
});

it("[S128] what all downloads read comes two at a time", async () => {
  const downloads = new Downloads({ ...LIMITS, DOCUMENT_PLACES: 5 });
  let reading = 0;
  let most = 0;
  const read = async () => {
    reading += 1;
    most = Math.max(most, reading);
    await setImmediate();
    reading -= 1;
  };
  const make = async ({ inTurn }: DownloadPlace) => {
    for (let nth = 0; nth < 10; nth += 1) await inTurn(read);
    return FILE;
  };
  await Promise.all(["a", "b", "c", "d", "e"].map((account) => downloads.run(account, client().ends, make)));
  expect(most).toBe(2);
});

it("a failure is thrown, and gives its place back", async () => {
  const downloads = new Downloads(LIMITS);
  const failing = () => Promise.reject(new Error("the key is gone"));
  await expect(downloads.run("a", client().ends, failing)).rejects.toThrow("the key is gone");
  const next = work();
  next.finish();
  expect(await downloads.run("a", client().ends, next.make)).toBe(FILE);
});
