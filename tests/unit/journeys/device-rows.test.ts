import { expect, it } from "vitest";
import { textsIn } from "~/i18n/texts.server";
import { sessionRows, trustedDevices } from "~/journeys/customer-area/profile-words";
import { PROFILE, SESSIONS } from "~/journeys/kit/screen-states";

const t = textsIn("pl");

it("[F45] buttons of two devices with the same name differ by their dates; others have the name alone", () => {
  const [first, second] = PROFILE.trustedDevices;
  if (!first || !second) throw new Error("the gallery's customer trusts two devices");
  const twins = [first, { ...second, deviceName: first.deviceName }];
  const names = trustedDevices(t, { ...PROFILE, trustedDevices: twins }).open.map((row) => row.nameInButton);
  expect(names.map((name) => name.replaceAll("\u00A0", " "))).toEqual([
    "Firefox 140, Windows 11. Zaufane od 10 stycznia 2026 do 9 lutego 2026",
    "Firefox 140, Windows 11. Zaufane od 12 stycznia 2026 do 11 lutego 2026",
  ]);
  for (const { name, nameInButton } of sessionRows(t, { sessions: SESSIONS }).open)
    expect(nameInButton).toBe(name);
});
