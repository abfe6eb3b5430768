import { PassThrough } from "node:stream";
import { runCommand } from "~/operators/program.server";

/** The operators' commands that the program's help lists. */
export async function commandNames(): Promise<string[]> {
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  const streams = { input: new PassThrough(), out: new PassThrough() };
  await runCommand(["--help"], { ...streams, print, printError: print }, {});
  const [, list = ""] = printed.join("\n").split("\nCommands:\n");
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
}
