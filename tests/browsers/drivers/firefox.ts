import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, EngineOptions } from "../browser";
import { marionette, type Marionette } from "./marionette";
import { until } from "../until";
import { webDriverBrowser } from "./webdriver";

/** No background requests, and the customers' language. */
const PREFERENCES = {
  "marionette.port": 0,
  "intl.accept_languages": "pl-PL, pl",
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "datareporting.policy.dataSubmissionEnabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "toolkit.telemetry.server": "data:,",
  // Documents are saved into a folder of the profile, and not shown as well.
  "browser.download.folderList": 2,
  "pdfjs.disabled": true,
};

/** Firefox with a profile of its own. */
export interface RunningFirefox extends Marionette {
  /** A folder that is removed with it. */
  readonly profile: string;
  /** Runs a script with the browser's own rights; returns its result, or that of its promise. */
  readonly privileged: (script: string, ...args: readonly unknown[]) => Promise<unknown>;
  readonly quit: () => Promise<void>;
}

/** Starts Firefox, driven through Marionette, its built-in form of WebDriver. */
export async function runFirefox(
  path: string,
  preferencesIn: (profile: string) => Readonly<Record<string, unknown>>,
): Promise<RunningFirefox> {
  const profile = await mkdtemp(join(tmpdir(), "firefox-"));
  const preferences = Object.entries({ ...PREFERENCES, ...preferencesIn(profile) });
  const lines = preferences.map((entry) => `user_pref(${entry.map((part) => JSON.stringify(part)).join()});`);
  await writeFile(join(profile, "user.js"), lines.join("\n"));
  // Privileged scripts need system access.
  const options = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote"];
  const firefox = spawn(path, [...options, "--profile", profile], {
    env: { ...process.env, HOME: profile, LANG: "C.UTF-8" },
    stdio: "ignore",
  });
  const kill = () => firefox.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(firefox, "exit");
  const port = await until("Firefox to listen", async () =>
    Number(await readFile(join(profile, "MarionetteActivePort"), "utf8").catch(() => "")),
  );
  const session = await marionette(connect(port, "127.0.0.1"));
  const { command } = session;
  return {
    ...session,
    profile,
    privileged: async (script, ...args) => {
      await command("Marionette:SetContext", { value: "chrome" });
      const result = await command("WebDriver:ExecuteScript", { script, args });
      await command("Marionette:SetContext", { value: "content" });
      return result;
    },
    quit: async () => {
      await command("Marionette:Quit", { flags: ["eForceQuit"] });
      await ended;
      process.off("exit", kill);
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Starts Firefox for the journeys. */
export async function startFirefox(path: string, { scripts }: EngineOptions): Promise<Engine> {
  const downloadsIn = (profile: string) => join(profile, "downloads");
  const { send, command, privileged, version, profile, quit } = await runFirefox(path, (folder) => ({
    "signon.rememberSignons": false,
    "browser.download.dir": downloadsIn(folder),
    "javascript.enabled": scripts,
  }));
  const downloads = downloadsIn(profile);
  return {
    name: `Firefox ${version}`,
    visit: async () => {
      await rm(downloads, { recursive: true, force: true });
      await mkdir(downloads);
      const before = (await command("WebDriver:GetWindowHandles")) as readonly string[];
      const { handle } = (await command("WebDriver:NewWindow", { type: "tab" })) as { handle: string };
      for (const window of before) {
        await command("WebDriver:SwitchToWindow", { handle: window });
        await command("WebDriver:CloseWindow");
      }
      await command("WebDriver:SwitchToWindow", { handle });
      return webDriverBrowser(send, downloads, async () => {
        await send("Navigate", { url: "about:blank" });
        await privileged("Services.cookies.removeAll()");
      });
    },
    stop: quit,
  };
}
