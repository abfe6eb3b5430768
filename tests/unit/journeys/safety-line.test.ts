import { expect, it } from "vitest";
import { textsIn } from "~/i18n/texts.server";
import { safetyLine } from "~/journeys/sign-in/login";
import { withVariables } from "~/platform/config/environment.server";

it.each([
  ["https://portal.example", "Sprawdź adres strony: portal.example. "],
  ["https://portal.example:8443", "Sprawdź adres strony: portal.example:8443. "],
  ["", "Sprawdź adres strony w przeglądarce. "],
])("[S59] with PUBLIC_ORIGIN=%s customers are told: %s", (origin, words) => {
  const line = withVariables({ PUBLIC_ORIGIN: origin }, () => safetyLine(textsIn("pl")));
  expect(line.replaceAll("\u00a0", " ").startsWith(`${words}Nigdy`)).toBe(true);
});
