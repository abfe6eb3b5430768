import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { Writable } from "node:stream";
import { EXIT, type Output } from "./kit/command.server";

const STDOUT = 1;

/**
 * Standard output. If it can't be written, as on a full disk, the command's work goes on, but it doesn't end as if all
 * were well. In a file each write is whole or leaves no trace: a follower that is started again continues after its
 * last whole line (S153).
 */
export function standardOutput(printError: Output["printError"]): Pick<Output, "print" | "out"> {
  let isLost = false;
  const reportLost = (error: Error) => {
    // The reader may stop at any time, as `head` does.
    if ("code" in error && error.code === "EPIPE") process.exit();
    if (isLost) return;
    isLost = true;
    printError(`portal: a part of the output is lost: ${error.message}`);
    process.once("exit", (code) => {
      if (code === EXIT.done) process.exitCode = EXIT.problem;
    });
  };
  process.stdout.on("error", reportLost);
  if (!fstatSync(STDOUT).isFile())
    return { print: (line) => process.stdout.write(`${line}\n`), out: process.stdout };
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        writeWhole(chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  out.on("error", reportLost);
  return {
    out,
    print: (line) => {
      try {
        writeWhole(Buffer.from(`${line}\n`));
      } catch (error) {
        reportLost(error as Error);
      }
    },
  };
}

/** @throws Error if not all of it can be written; then the file is as before */
function writeWhole(bytes: Uint8Array): void {
  const before = fstatSync(STDOUT).size;
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(STDOUT, bytes, at);
  } catch (error) {
    if (at > 0) ftruncateSync(STDOUT, before);
    throw error;
  }
}
