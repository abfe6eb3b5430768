import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { MINUTE } from "../time.server";

/** The header in which `portal doctor` asks, and in which a portal with the same secret answers. */
export const DOCTOR_HEADER = "x-portal-doctor";

/** Clocks may differ by this much, which another check of doctor finds. */
export const QUESTION_FRESH_MS = 5 * MINUTE;
const QUESTION = /^(\d{1,15})\.([\w-]{43})$/;

/** A portal's description of itself and of the request, for its operators only (S74). */
const description = z.object({
  build: z.string(),
  /** In the word of `/readyz`. */
  readiness: z.string(),
  /** Whether a trusted proxy passed the request on. */
  isForwarded: z.boolean(),
  /** The address that the request is counted under. */
  clientAddress: z.string(),
});

export type PortalDescription = z.infer<typeof description>;

/** A question that only those who know the secret (`SESSION_SECRET`) can ask. */
export function doctorQuestion(secret: string, now: number): string {
  return `${now}.${macOf(secret, String(now))}`;
}

/** Whether the request is signed with one of the secrets, and recent. */
export function isDoctorQuestion(asked: string | null, secrets: readonly string[], now: number): boolean {
  const [, at = "", mac = ""] = QUESTION.exec(asked ?? "") ?? [];
  if (at === "" || Math.abs(now - Number(at)) > QUESTION_FRESH_MS) return false;
  return secrets.some((secret) => timingSafeEqual(Buffer.from(macOf(secret, at)), Buffer.from(mac)));
}

/** The answer in a header; undefined if it is none. */
export function readDescription(answer: string | null): PortalDescription | undefined {
  try {
    return description.safeParse(JSON.parse(answer ?? "")).data;
  } catch {
    return undefined;
  }
}

function macOf(secret: string, text: string): string {
  return createHmac("sha256", secret).update(`portal doctor\n${text}`).digest("base64url");
}
