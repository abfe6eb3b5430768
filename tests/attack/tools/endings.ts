/** What has to end when the command does, newest last. */
const endings = new Set<() => Promise<void> | void>();

/** Does the work with something that must be ended afterwards, also when the work fails or somebody presses Ctrl-C. */
export async function withEnding<Value>(
  end: () => Promise<void> | void,
  work: () => Promise<Value>,
): Promise<Value> {
  endings.add(end);
  try {
    return await work();
  } finally {
    if (endings.delete(end)) await end();
  }
}

/** From now on a signal ends everything before the process exits. */
export function endOnSignals(): void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [name, code] of Object.entries(codes)) {
    process.once(name, () => {
      void endAll().finally(() => process.exit(code));
    });
  }
}

async function endAll(): Promise<void> {
  for (const end of [...endings].reverse()) {
    endings.delete(end);
    await end();
  }
}
