import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { Writable } from "node:stream";
import { EXIT, type Output } from "./kit/command.server";

const STDOUT = 1;
/** Linux shows each process its open files here. */
const OWN_FILES = "/proc/self/fd";
const LINE_END = Buffer.from("\n");

/**
 * Standard output. If it can't be written, as on a full disk, the command's work goes on, but it doesn't end as if all
 * were well. In a file each write is whole or leaves no trace, unless the command is killed within it: a follower that is
 * started again continues after its last whole line (S153), on a line of its own.
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
  let isBegun = false;
  const write = (bytes: Buffer) => {
    const isWithinLine = !isBegun && endsWithinLine();
    isBegun = true;
    writeWhole(isWithinLine ? Buffer.concat([LINE_END, bytes]) : bytes);
  };
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        write(chunk);
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
        write(Buffer.from(`${line}\n`));
      } catch (error) {
        reportLost(error as Error);
      }
    },
  };
}

/** Whether the file ends within a line, since the command that wrote there before was killed. */
function endsWithinLine(): boolean {
  const { size } = fstatSync(STDOUT);
  if (size === 0 || !existsSync(OWN_FILES)) return false;
  // Standard output itself is open for writing only.
  const file = openSync(`${OWN_FILES}/${STDOUT}`, "r");
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  closeSync(file);
  return !last.equals(LINE_END);
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
