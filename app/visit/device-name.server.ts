import Bowser from "bowser";
import { MOST_DEVICE_NAME } from "~/contract/rules";
import { LANGUAGES } from "~/i18n/languages";
import { textsIn, type Translate } from "~/i18n/texts.server";
import { Memo } from "~/platform/memo";
import { textsFor } from "./cookies.server";

/** How many characters of a User-Agent are read. Real ones are shorter, and a long one would take long to recognise. */
const MOST_READ = 512;
const UNKNOWN = ["common:device.unknownBrowser", "common:device.unknownOs"] as const;
/** The space before a version: "Firefox 140", "iOS 18.1". */
const VERSION = / (?=\d[\d.]*(,|$))/g;
/** By User-Agent: many browsers send the same one. */
const recognised = new Memo<Recognised>(1000);
const KNOWN: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.BROWSER_MAP));

/**
 * A readable name of the visitor's device from the User-Agent, such as "Firefox 128, Windows 10"; at most 100
 * characters (backend contract). Unknown parts are in the visitor's language.
 */
export async function deviceName(request: Request): Promise<string> {
  const userAgent = (request.headers.get("User-Agent") ?? "").slice(0, MOST_READ);
  const { browser, system } = recognised.get(userAgent, () => recognise(userAgent));
  const t = await textsFor(request);
  const name = `${browser ?? t("common:device.unknownBrowser")}, ${system ?? t("common:device.unknownOs")}`;
  return [...name].slice(0, MOST_DEVICE_NAME).join("");
}

/**
 * A device's name, for a reader: translates the words for unknown parts, which may be in another language, and keeps a
 * version on the same line as its name.
 */
export function readableDeviceName(t: Translate, name: string): string {
  if (name.trim() === "") return t("common:device.unknown");
  return LANGUAGES.map(textsIn).reduce(
    (read, said) => UNKNOWN.reduce((text, key) => text.replace(said(key), t(key)), read),
    name.replace(VERSION, "\u00A0"),
  );
}

/** The parts of a User-Agent that are known. */
interface Recognised {
  readonly browser?: string;
  readonly system?: string;
}

function recognise(userAgent: string): Recognised {
  if (userAgent === "") return {};
  const { browser, os } = Bowser.parse(userAgent);
  // Every browser on macOS claims 10.15, on any version.
  const release = os.name === Bowser.OS_MAP["MacOS"] ? undefined : (os.versionName ?? os.version);
  const system = [os.name, release].filter(Boolean).join(" ");
  const version = browser.version?.split(".")[0];
  return {
    // For an unknown browser, Bowser returns raw text from the header.
    ...(KNOWN.has(browser.name) && { browser: [browser.name, version].filter(Boolean).join(" ") }),
    ...(system && { system }),
  };
}
