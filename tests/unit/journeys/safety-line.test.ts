import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

it.each([
  ["https://portal.example", "Sprawdź adres strony: portal.example. "],
  ["https://portal.example:8443", "Sprawdź adres strony: portal.example:8443. "],
  ["", "Sprawdź adres strony w przeglądarce. "],
])("[S59] with PUBLIC_ORIGIN=%s customers are told: %s", async (origin, words) => {
  vi.resetModules();
  vi.stubEnv("PUBLIC_ORIGIN", origin);
  const { safetyLine } = await import("~/journeys/sign-in/login");
  const { textsIn } = await import("~/i18n/texts.server");
  expect(safetyLine(textsIn("pl")).replaceAll("\u00a0", " ").startsWith(`${words}Nigdy`)).toBe(true);
});
