import Bowser from "bowser";

const MAX_LENGTH = 100;
const KNOWN: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.BROWSER_MAP));

/** A readable device name from the User-Agent, such as "Firefox 128, Windows 10"; at most 100 characters (backend contract). */
export function deviceName(
  request: Request,
  unknown: { readonly browser: string; readonly system: string },
): string {
  const { browser, system } = recognise(request.headers.get("User-Agent") ?? "");
  return [...`${browser ?? unknown.browser}, ${system ?? unknown.system}`].slice(0, MAX_LENGTH).join("");
}

function recognise(userAgent: string): { browser?: string; system?: string } {
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
