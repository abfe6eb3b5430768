import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { Browser } from "../../../../contract/browser";
import { ANNA } from "../../../../demo-customers";
import { openTestBackend, type TestBackend } from "../../test-backend";

describe("a password on SQLite", () => {
  let way: TestBackend;
  /** How many commits there were so far; each waits for the disk. */
  let commits: () => number;
  beforeEach(async () => {
    const { mock } = vi.spyOn(SqliteConnection.prototype, "prepare");
    way = await openTestBackend({ kind: "sqlite" });
    // The backend purges when it opens, table by table; this is the last one.
    await vi.waitFor(() => {
      expect(mock.calls.at(-1)).toEqual(["commit"]);
      expect(mock.calls.some(([text]) => text.startsWith('delete from "outbox"'))).toBe(true);
    });
    const seen = mock.calls.length;
    commits = () => mock.calls.slice(seen).filter(([text]) => text === "commit").length;
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await way.close();
  });

  const WRONG = "Nie-To-Haslo-1";
  it.each([
    ["right", ANNA],
    ["wrong", { username: ANNA.username, password: WRONG }],
    ["of nobody", { username: "nikt.taki", password: WRONG }],
  ])("waits for the disk twice, for its count and for how the try went: %s", async (_which, typed) => {
    await new Browser(way).login(typed);
    expect(commits()).toBe(2);
  });

  it.each([ANNA.username, "nikt.taki"])(
    "[S108] waits as long while tries are blocked, whether the username exists or not: %s",
    async (username) => {
      for (let nth = 0; nth < 5; nth += 1) await new Browser(way).login({ username, password: WRONG });
      const before = commits();
      await new Browser(way).login({ username, password: WRONG });
      expect(commits() - before).toBe(1);
    },
  );
});
