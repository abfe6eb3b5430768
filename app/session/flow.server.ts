import { createHash } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { z } from "zod";
import { environment } from "~/platform/environment.server";
import { sessionSecrets } from "~/platform/session-secrets.server";
import { keepCookie, readCookie } from "./cookies.server";

/** A code that was asked for; times are ms since the epoch. */
const sentCode = {
  /** When the last code was sent; absent while none has been. */
  codeSentAt: z.number().optional(),
  /** The last code was asked for again by the person. */
  resent: z.boolean().default(false),
};

/**
 * What a flow remembers between its screens (specification §4). It travels in an encrypted, authenticated cookie, so
 * that a portal needs no database of its own. A browser is in one flow at a time.
 */
const flow = z.discriminatedUnion("name", [
  /** `trust`: whether to trust this device (on by default, specification §9). */
  z.object({ name: z.literal("sign-in"), ...sentCode, trust: z.boolean().default(true) }),
  z.object({ name: z.literal("register"), ...sentCode, policyNo: z.string(), pid: z.string() }),
  z.object({ name: z.literal("reset-password"), ...sentCode, username: z.string() }),
  z.object({ name: z.literal("remind-username"), ...sentCode, policyNo: z.string() }),
  /** The reminder's result, for the sign-in form that follows. */
  z.object({ name: z.literal("reminded"), username: z.string() }),
  /** `username`: the one that the code was asked for under. */
  z.object({ name: z.literal("change-password"), ...sentCode, username: z.string() }),
  /**
   * `username`: the same; it stays what it was while the change is confirmed twice. `origin`: the screen where the
   * change began. What was typed survives a new code.
   */
  z.object({
    name: z.literal("change-username"),
    ...sentCode,
    username: z.string(),
    origin: z.enum(["/home/confirm-login", "/cp/profile"]),
    newUsername: z.string().default(""),
    newUsernameRepeat: z.string().default(""),
  }),
  z.object({ name: z.literal("document-password"), ...sentCode }),
  /** Not a flow, but what the next screen has to say of one that ended. */
  z.object({
    name: z.literal("notice"),
    notice: z.enum([
      "session-expired",
      "step-lost",
      "password-changed",
      "password-reset",
      "username-changed",
      "device-removed",
    ]),
  }),
]);

/** The memory of a flow, by its name. */
export type Flow = z.output<typeof flow>;
/** The memory of one flow. */
export type FlowNamed<Name extends Flow["name"]> = Extract<Flow, { name: Name }>;
/** What a screen says of something that ended. */
export type Notice = FlowNamed<"notice">["notice"];

/** The flow of this name that the browser carries; a forged, expired or foreign one is as good as none. */
export async function readFlow<Name extends Flow["name"]>(
  request: Request,
  name: Name,
): Promise<FlowNamed<Name> | undefined> {
  const sealed = readCookie(request, "flow");
  const opened = sealed ? flow.safeParse((await open(sealed))?.["flow"]) : undefined;
  return opened?.success && opened.data.name === name ? (opened.data as FlowNamed<Name>) : undefined;
}

/** Remembers a flow with the answer to this request, in the place of any other. */
export async function rememberFlow(remembered: Flow): Promise<void> {
  keepCookie("flow", await sealFlow(remembered));
}

/** A flow as the cookie carries it. */
export function sealFlow(remembered: Flow): Promise<string> {
  const [secret] = sessionSecrets();
  return new EncryptJWT({ flow: remembered })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setExpirationTime(Math.floor(Date.now() / 1000) + environment().limits.FLOW_SECONDS)
    .encrypt(keyFrom(secret ?? ""));
}

/** Forgets any flow with the answer to this request. */
export function forgetFlow(): void {
  keepCookie("flow", undefined);
}

/** Has the next screen say something, once. */
export function leaveNotice(notice: Notice): Promise<void> {
  return rememberFlow({ name: "notice", notice });
}

/** What was left for this screen to say, if anything; it is said once. */
export async function takeNotice(request: Request): Promise<Notice | undefined> {
  const left = await readFlow(request, "notice");
  if (left) forgetFlow();
  return left?.notice;
}

async function open(sealed: string): Promise<Record<string, unknown> | undefined> {
  for (const secret of sessionSecrets()) {
    try {
      return (await jwtDecrypt(sealed, keyFrom(secret), { keyManagementAlgorithms: ["dir"] })).payload;
    } catch {
      // Not ours, not sealed with this key, or expired: the next key may open it.
    }
  }
  return undefined;
}

function keyFrom(secret: string): Uint8Array {
  return createHash("sha256").update("flow cookie").update(secret).digest();
}
