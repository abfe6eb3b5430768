import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, EngineOptions } from "../browser";
import { marionette } from "./marionette";
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
  "signon.rememberSignons": false,
  // Documents are saved into a folder of the profile, and not shown as well.
  "browser.download.folderList": 2,
  "pdfjs.disabled": true,
};

/** Starts Firefox, driven through Marionette, its built-in form of WebDriver. */
export async function startFirefox(path: string, { scripts }: EngineOptions): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), "firefox-"));
  const downloads = join(profile, "downloads");
  const preferences = Object.entries({
    ...PREFERENCES,
    "browser.download.dir": downloads,
    "javascript.enabled": scripts,
  });
  const lines = preferences.map((entry) => `user_pref(${entry.map((part) => JSON.stringify(part)).join()});`);
  await writeFile(join(profile, "user.js"), lines.join("\n"));
  // Clearing all cookies needs system access.
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
  const { send, command, version } = await marionette(connect(port, "127.0.0.1"));

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
        await command("Marionette:SetContext", { value: "chrome" });
        await command("WebDriver:ExecuteScript", { script: "Services.cookies.removeAll()", args: [] });
        await command("Marionette:SetContext", { value: "content" });
      });
    },
    stop: async () => {
      await command("Marionette:Quit", { flags: ["eForceQuit"] });
      await ended;
      process.off("exit", kill);
      await rm(profile, { recursive: true, force: true });
    },
  };
}
