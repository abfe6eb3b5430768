import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANNA } from "../../demo-customers";
import { startPortal } from "../../portal";
import { expect, test } from "../../browsers/fixtures";
import { Guest } from "../../browsers/guest";

const SAID = "Nie ma połączenia z portalem";
const ALERT = "main [role=alert]";

test("[F14] while the portal is away, a form keeps what was typed; when it is back, the button works", async ({
  guest: { browser, scripts },
}) => {
  // Without scripts the browser shows its own page.
  if (!scripts) return;
  const dataDir = await mkdtemp(join(tmpdir(), "portal-"));
  const portal = await startPortal({ dataDir });
  const guest = new Guest(browser, portal, scripts);
  await guest.arrive();
  await portal.stop();

  await guest.type("username", ANNA.username);
  await guest.type("password", ANNA.password);
  await guest.press("Zaloguj się");
  await guest.reads(SAID, ALERT);
  expect(await guest.path()).toBe("/home");
  expect(await guest.value("username")).toBe(ANNA.username);
  expect(await guest.value("password")).toBe(ANNA.password);

  const again = await startPortal({ dataDir, port: portal.port });
  await guest.press("Zaloguj się");
  await guest.lands("/home/mfa");
  expect(await guest.texts(ALERT)).toEqual([]);
  await again.stop();
  await rm(dataDir, { recursive: true });
});
