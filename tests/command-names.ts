import { PassThrough } from "node:stream";
import { runCommand } from "~/operators/program.server";

/** The operators' commands that the program's help lists. @param group the command whose own ones are asked for */
export async function commandNames(...group: readonly string[]): Promise<string[]> {
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  const streams = { input: new PassThrough(), out: new PassThrough() };
  await runCommand([...group, "--help"], { ...streams, print, printError: print }, {});
  const [, list = ""] = printed.join("\n").split("\nCommands:\n");
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
}
