import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPortal } from "../../portal";
import { faultsByAxe } from "./faults-by-axe";
import { smallTargets } from "./faults-of-look";
import { faultsOfWidth } from "./faults-of-width";
import { expect, test } from "./gallery";

const DAY_MS = 86_400_000;

test("[S139, C-20, C-50] a portal that is closed says so in both languages, by the rules for screens", async ({
  browser,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "maintenance-"));
  const file = join(folder, "announcement.json");
  const until = new Date(Date.now() + DAY_MS).toISOString();
  const announcement = { text: "Wracamy rano.", textEn: "We are back in the morning.", until };
  await writeFile(file, JSON.stringify({ ...announcement, maintenanceUntil: until }));
  // No page asks the backend, so there needn't be one.
  const portal = await startPortal({ env: { BACKEND_URL: "http://127.0.0.1:9", ANNOUNCEMENT_FILE: file } });
  // The pages of a worker share a language.
  const visit = await browser.newContext();
  const page = await visit.newPage();
  try {
    for (const [language, header, said] of [
      ["pl", "Trwają prace techniczne", "Wracamy rano."],
      ["en", "We are working on the portal", "We are back in the morning."],
    ] as const) {
      await page.goto(`${portal.origin}/language/${language}?back=/home`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(header);
      await expect(page.getByRole("region")).toHaveText(said);
      // Help after damage doesn't wait; a button would lead back to this page.
      await expect(page.getByRole("main").getByRole("link")).toHaveText([
        "22\u00a0100\u00a020\u00a099",
        "22\u00a0100\u00a020\u00a030",
        "800\u00a0100\u00a0200",
      ]);
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await faultsByAxe(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await faultsByAxe(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
      expect(await faultsOfWidth(page)).toEqual([]);
    }
  } finally {
    await visit.close();
    await portal.stop();
    await rm(folder, { recursive: true });
  }
});
