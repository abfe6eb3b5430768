import { expect, it, vi } from "vitest";
import { textsIn } from "~/i18n/texts.server";
import { codeEndedAt, codeStatus } from "~/journeys/kit/code-status";
import { maskedIdentifier } from "~/journeys/kit/typed-details";

const sent = { codeSentAt: Date.parse("2026-11-20T11:05:30Z"), resent: false };
const sentTo = "••• ••• 001";

it.each([
  [sent, "SMS z kodem wysłaliśmy o 12:05. Kod jest ważny do 12:15."],
  [{ ...sent, sentTo }, `SMS z kodem wysłaliśmy o 12:05 na numer ${sentTo}. Kod jest ważny do 12:15.`],
  [
    { ...sent, resent: true },
    "Wysłaliśmy nowy SMS o 12:05. Wpisz kod z najnowszej wiadomości. Kod jest ważny do 12:15.",
  ],
  [
    { ...sent, resent: true, sentTo },
    `Wysłaliśmy nowy SMS o 12:05 na numer ${sentTo}. Wpisz kod z najnowszej wiadomości. Kod jest ważny do 12:15.`,
  ],
] as const)(
  "[F13] a code step says when and where its code went, and until when it is valid: %o",
  (flow, text) => {
    const { status, number } = codeStatus(textsIn("pl"), flow, false);
    expect(status.replaceAll("\u00A0", " ")).toBe(text);
    expect(number).toBe("sentTo" in flow ? sentTo : undefined);
  },
);

it("[S3, F13] a signed-out visitor reads the same, wherever the code went and until whenever it is valid", () => {
  for (const resent of [false, true]) {
    const t = textsIn("pl");
    const status = codeStatus(t, { codeSentAt: 0, resent }, true);
    expect(codeStatus(t, { codeSentAt: 0, resent, sentTo }, true)).toEqual(status);
    expect(status.status.replace("1:00", "")).not.toMatch(/\d/);
  }
  expect(codeStatus(textsIn("pl"), { codeSentAt: 0, resent: false }, true).status).not.toMatch(/\d/);
});

it("[F13] a signed-out visitor reads when another code was asked for, so that each press changes the page", () => {
  const { status } = codeStatus(textsIn("pl"), { ...sent, resent: true }, true);
  expect(status.replaceAll("\u00A0", " ")).toContain("O 12:05 poprosiliśmy o kolejny SMS.");
});

it("[F13] a code has ended at the time that the screen names, and not before; without a code none has", () => {
  const t = textsIn("pl");
  vi.useFakeTimers({ now: Date.parse("2026-11-20T11:15:29.999Z") });
  expect(codeEndedAt(t, sent)).toBeUndefined();
  vi.setSystemTime(Date.parse("2026-11-20T11:15:30Z"));
  expect(codeEndedAt(t, sent)).toBe("12:15");
  expect(codeEndedAt(t, { resent: false })).toBeUndefined();
  expect(codeEndedAt(t, undefined)).toBeUndefined();
  vi.useRealTimers();
});

it("[F36] of a personal identifier only two characters can be read, whatever its length", () => {
  expect(maskedIdentifier("72090811112")).toBe("•••••••••12");
  expect(maskedIdentifier("FB123456")).toBe("•••••••••56");
  expect(maskedIdentifier("1234")).toBeUndefined();
});
