import type { HttpAnswer } from "../http-request";

/** The outcome of a sign-in form: the next address, or the code of the refusal that the page shows. */
export function verdict({ status, header, body }: HttpAnswer): string {
  if (status === 303) return `→ ${header("Location") ?? ""}`;
  if (body.includes("Konto zablokowane")) return "106";
  if (body.includes("Kod autoryzacyjny zablokowany")) return "016";
  if (body.includes("Nieprawidłowa nazwa użytkownika lub hasło.")) return "101";
  if (body.includes("Nieprawidłowy kod autoryzacyjny.")) return "007";
  return `${status}: ${body.slice(0, 200)}`;
}

/** How often each verdict was given. */
export function count(verdicts: readonly string[]): Readonly<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const one of verdicts) counted[one] = (counted[one] ?? 0) + 1;
  return counted;
}
