import { expect, it } from "vitest";
import { LineOutput } from "~/platform/telemetry/error-output.server";

/** A pipe with room for a few bytes, whose reader takes some out of it while the writer waits. */
function slowPipe(room: number, readWhileWaiting: number) {
  let [written, waits] = ["", 0];
  const output = new LineOutput({
    write: (bytes) => {
      const taken = Buffer.from(bytes).subarray(0, room);
      if (taken.length === 0) throw Object.assign(new Error("full"), { code: "EAGAIN" });
      written += taken.toString();
      room -= taken.length;
      return taken.length;
    },
    wait: () => {
      waits += 1;
      room += readWhileWaiting;
    },
  });
  return { output, written: () => written, waits: () => waits };
}

it("a reader that is slow, but reads, costs a portal no line", () => {
  const { output, written } = slowPipe(3, 1);
  output.waitLittle();
  output.write("first\n");
  output.write("second\n");
  expect([written(), output.dropped]).toEqual(["first\nsecond\n", 0]);
});

it("a reader that stopped costs a portal a moment once, and then lines", () => {
  const { output, written, waits } = slowPipe(0, 0);
  output.waitLittle();
  output.write("first\n");
  const once = waits();
  for (let nth = 0; nth < 1000; nth += 1) output.write("more\n");
  expect([written(), output.dropped, waits()]).toEqual(["", 1001, once]);
});
