/** Limits so high that nothing which protects people ends a measurement: all of it comes from one address. */
export function withoutLimits(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [`LIMIT_${name}`, "1000000000"]));
}
