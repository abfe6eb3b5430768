import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownFactorName } from "~/journeys/kit/steps";
import { textsIn } from "~/i18n/texts.server";
import { deviceName, readableDeviceName } from "~/visit/browser.server";
import { processorTime } from "../../processor-time";

function nameOf(userAgent: string | undefined, cookie = ""): Promise<string> {
  const headers = new Headers({
    Cookie: cookie,
    ...(userAgent !== undefined && { "User-Agent": userAgent }),
  });
  return deviceName(new Request("http://portal.example/home/mfa", { headers }));
}

const GECKO = "Gecko/20100101";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

/** Browsers and systems whose names we shorten or make up; a library reads the others. */
const NAMES: readonly (readonly [name: string, userAgent: string | undefined])[] = [
  ["Firefox 128, Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) ${GECKO} Firefox/128.0`],
  ["Firefox 115, Windows 7", `Mozilla/5.0 (Windows NT 6.1; Win64; x64; rv:109.0) ${GECKO} Firefox/115.0`],
  [
    "Safari 18, macOS",
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/18.1 Safari/605.1.15`,
  ],
  [
    "Safari 18, iOS 18.1",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${SAFARI} Version/18.1 Mobile/15E148 Safari/604.1`,
  ],
  [
    "Safari 26, iOS 26.1",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${SAFARI} Version/26.1 Mobile/15E148 Safari/604.1`,
  ],
  [
    "Chrome 131, iOS 17.6",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) ${SAFARI} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`,
  ],
  [
    "Chrome 141, iOS",
    `Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) ${SAFARI} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`,
  ],
  [
    "Chrome 131, Android",
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`,
  ],
  ["Firefox 133, Android", "Mozilla/5.0 (Android 10; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"],
  ["Firefox 133, Android 13", "Mozilla/5.0 (Android 13; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"],
  [
    "Microsoft Edge 131, Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.70`,
  ],
  ["nieznana przeglądarka, Linux", "Links (2.28; Linux 6.1 x86_64; GNU C 12.2; text)"],
  ["nieznana przeglądarka, nieznany system", "w3m/0.5.3+git20230121"],
  ["nieznana przeglądarka, nieznany system", ""],
  ["nieznana przeglądarka, nieznany system", undefined],
];

describe("the name of a device", () => {
  it.each(NAMES)('is "%s" for %s', async (name, userAgent) => {
    expect(await nameOf(userAgent)).toBe(name);
  });

  const HOSTILE = [
    "A".repeat(8192),
    "Mozilla/5.0 (".repeat(600),
    "(".repeat(8192),
    `${"a ".repeat(4000)}/1`,
    `Chrome/${"9".repeat(8000)}`,
    `Firefox/${"1.".repeat(4000)}`,
    `Mozilla/5.0 (Windows NT ${"1".repeat(8000)}) Firefox/1`,
    `Version/${" ".repeat(8000)}Safari`,
    "<script>alert(1)</script>/1.0 (<img src=x>)",
    "{{browser}} $t(common:app.name)/1",
    "\u00ff\u00fe/\u00ff",
  ];

  it.each(HOSTILE.map((userAgent) => [userAgent.slice(0, 24), userAgent]))(
    "[S75] has at most a hundred characters, and takes no time to find, for %s…",
    async (_start, userAgent) => {
      let name = "";
      const time = await processorTime(async () => (name = await nameOf(userAgent)));
      expect(time).toBeLessThan(100);
      expect([...name].length).toBeLessThanOrEqual(100);
      expect(name).not.toMatch(/[<>{}$]/);
    },
  );

  it("says in the visitor's language what isn't known", async () => {
    expect(await nameOf("w3m/0.5.3", "language=en")).toBe("unknown browser, unknown system");
  });

  it("is shown in the reader's language, whatever language it was stored in", () => {
    const [polish, english] = [textsIn("pl"), textsIn("en")];
    const names = [
      "nieznana przeglądarka, nieznany system",
      "unknown browser, Linux",
      "Firefox 140, Linux",
      " ",
    ];
    expect(names.map((name) => readableDeviceName(english, name))).toEqual([
      "unknown browser, unknown system",
      "unknown browser, Linux",
      "Firefox\u00a0140, Linux",
      "unknown device",
    ]);
    expect(names.map((name) => readableDeviceName(polish, name))).toEqual([
      "nieznana przeglądarka, nieznany system",
      "nieznana przeglądarka, Linux",
      "Firefox\u00a0140, Linux",
      "nieznane urządzenie",
    ]);
  });

  it("is shown without a version that browsers have frozen, even where it was stored with one", () => {
    const names = [
      ["Chrome 131, Windows 10", "Chrome\u00A0131, Windows"],
      ["Firefox 115, Windows 7", "Firefox\u00A0115, Windows\u00A07"],
      ["Chrome 131, Android 10", "Chrome\u00A0131, Android"],
      ["Firefox 133, Android 13", "Firefox\u00A0133, Android\u00A013"],
      ["Safari 18, macOS Catalina", "Safari\u00A018, macOS"],
      ["Safari 17, macOS 10.15.7", "Safari\u00A017, macOS"],
      ["Safari 26, iOS 18.6", "Safari\u00A026, iOS"],
      ["Firefox 145, iOS 18.7", "Firefox\u00A0145, iOS"],
      ["Safari 17, iOS 17.6", "Safari\u00A017, iOS\u00A017.6"],
    ] as const;
    expect(names.map(([name]) => readableDeviceName(textsIn("pl"), name))).toEqual(
      names.map(([, shown]) => shown),
    );
  });

  it("is shown so for a passkey that nobody named, and a customer's own name as it is", () => {
    const names = ["Chrome 131, Windows 10", "Służbowy Windows 10"];
    expect(names.map(shownFactorName)).toEqual(["Chrome 131, Windows", "Służbowy Windows 10"]);
  });

  it("has one to a hundred characters for any possible header", async () => {
    const latin1 = fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    });
    await fc.assert(
      fc.asyncProperty(latin1, async (userAgent) => {
        const { length } = [...(await nameOf(userAgent))];
        return length >= 1 && length <= 100;
      }),
    );
  });
});
