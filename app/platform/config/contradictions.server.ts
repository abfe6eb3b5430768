import type { DatabaseAddress } from "./database-variables.server";

interface Settings {
  readonly BACKEND_URL?: string | undefined;
  readonly DATABASE_URL?: DatabaseAddress | undefined;
  readonly MIGRATION_DATABASE_URL?: DatabaseAddress | undefined;
  readonly AUDIT_DATABASE_ROLE?: string | undefined;
  readonly DATABASE_TLS?: string | undefined;
  readonly DATABASE_CA_FILE?: string | undefined;
}

/** A sentence for each variable that another one makes pointless: the operator must have meant something else. */
export function contradictions(settings: Settings): readonly string[] {
  const isSet = (name: keyof Settings) => settings[name] !== undefined;
  const pairs: readonly (readonly [contradict: boolean, sentence: string])[] = [
    [isSet("BACKEND_URL") && isSet("DATABASE_URL"), "DATABASE_URL: expected only without BACKEND_URL"],
    [
      isSet("MIGRATION_DATABASE_URL") && !isSet("DATABASE_URL"),
      "MIGRATION_DATABASE_URL: expected only with DATABASE_URL",
    ],
    [
      isSet("AUDIT_DATABASE_ROLE") && !isSet("DATABASE_URL"),
      "AUDIT_DATABASE_ROLE: expected only with DATABASE_URL",
    ],
    [
      settings.DATABASE_TLS === "off" && isSet("DATABASE_CA_FILE"),
      "DATABASE_CA_FILE: expected only with TLS (DATABASE_TLS)",
    ],
  ];
  return pairs.flatMap(([contradict, sentence]) => (contradict ? [sentence] : []));
}
