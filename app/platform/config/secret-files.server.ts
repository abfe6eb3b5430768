import { readSmallFile } from "./read-small-file.server";

/** Variables that are set and not empty. */
export type Present = Readonly<Record<string, string>>;

/**
 * Fills in secrets from files: `X_FILE` names the file that holds `X`, as containers and systemd pass secrets. A
 * newline at the end is dropped. A file that can't be read is reported as a problem.
 */
export function withSecretFiles(source: Present, secrets: readonly string[]) {
  const present: Record<string, string> = { ...source };
  const problems: string[] = [];
  for (const name of secrets) {
    const file = source[`${name}_FILE`];
    if (file === undefined) continue;
    const content = contentOf(file);
    if (source[name] !== undefined) problems.push(`${name}: expected here or in ${name}_FILE, not in both`);
    else if (content === undefined) problems.push(`${name}_FILE: expected a file that can be read`);
    else if (content === "") problems.push(`${name}_FILE: expected a file that is not empty`);
    else present[name] = content;
  }
  return { present, problems };
}

function contentOf(file: string): string | undefined {
  try {
    return readSmallFile(file).replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}
