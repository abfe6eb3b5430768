/** Actions at the end of a test file, by name. Files share a process, so no module can wait for its own end. */
const endings = new Map<string, () => Promise<void>>();

/** Does this at the end of each test file. A second ending of this name replaces the first. */
export function atEndOfFile(name: string, ending: () => Promise<void>): void {
  endings.set(name, ending);
}

/** Runs every ending that was registered. */
export async function endFile(): Promise<void> {
  for (const ending of endings.values()) await ending();
}
