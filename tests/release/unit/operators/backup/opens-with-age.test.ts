import { expect, it } from "vitest";
import { canTestWith } from "../../../../installed";
import { runProgram } from "../../../../operator-command";
import { BACKUPS_MS, openBackedUp } from "../../../../unit/operators/backup/backed-up";

it.runIf(canTestWith("age"))("a backup opens with age itself, too", { timeout: BACKUPS_MS }, async () => {
  const portal = await openBackedUp();
  const file = await portal.backUp();
  const { stdout } = runProgram(
    "sh",
    ["-c", 'age -d -i "$1" "$2" | head -c 15', "sh", portal.identity, file],
    {},
  );
  expect(stdout).toContain("SQLite format 3");
  await portal.close();
});
