import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { MINUTE } from "../time.server";

/** The header in which `portal doctor` asks, and in which a portal with the same secret answers. */
export const DOCTOR_HEADER = "x-portal-doctor";

/** How much the clocks of doctor and portal may differ. Another check of doctor reports a difference. */
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

/** The header of a request by `portal doctor`, signed with the secret (`SESSION_SECRET`). */
export function doctorQuestion(secret: string, now: number): string {
  return `${now}.${macOf(secret, String(now))}`;
}

/** Whether the request is signed with one of the secrets, and recent. */
export function isDoctorQuestion(header: string | null, secrets: readonly string[], now: number): boolean {
  const [, at = "", mac = ""] = QUESTION.exec(header ?? "") ?? [];
  if (at === "" || Math.abs(now - Number(at)) > QUESTION_FRESH_MS) return false;
  return secrets.some((secret) => timingSafeEqual(Buffer.from(macOf(secret, at)), Buffer.from(mac)));
}

/** Reads a portal's answer from its header; undefined if it can't be read. */
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
