/** The cleanups to run when the command ends, newest last. */
const endings = new Set<() => Promise<void> | void>();

/** Does the work with something that must be ended afterwards, even if the work fails or Ctrl-C is pressed. */
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

/** Makes a signal end everything before the process exits. */
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
