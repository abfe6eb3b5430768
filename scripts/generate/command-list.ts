import { makeProgram } from "../../app/operators/program.server";

const LIST = /(<!-- list of commands -->\n)[^]*?(<!-- end of list -->)/;

/** Options that the page explains once, for all commands. */
const EXPLAINED = /^--(json|operator|reason|username|policy-no|account|customer|pid)\b/;

type Commands = ReturnType<typeof makeProgram>["commands"];

/**
 * Fills in the table of docs/operations/commands.md from the commands' own help. `npm run configuration-docs` runs it.
 * @throws Error if the page has no place for it
 */
export function fillCommandList(page: string): string {
  if (!LIST.test(page)) throw new Error("the page has no list of commands");
  const quiet = () => undefined;
  const { commands } = makeProgram({ print: quiet, printError: quiet }, () => () => Promise.resolve());
  const table = ["| command | what it does | options |", "| --- | --- | --- |", ...rowsOf(commands, "")];
  return page.replace(LIST, (_, begin: string, end: string) => `${begin}\n${table.join("\n")}\n\n${end}`);
}

function rowsOf(commands: Commands, before: string): readonly string[] {
  return commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    if (command.commands.length > 0) return rowsOf(command.commands, `${name} `);
    const options = command.options
      .map(({ flags }) => flags)
      .filter((flags) => !EXPLAINED.test(flags))
      .map((flags) => `\`${flags}\``);
    return [`| \`${name}\` | ${command.description()} | ${options.join(", ")} |`];
  });
}
