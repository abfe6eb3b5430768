import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { Browser } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";

describe("a password on SQLite", () => {
  let way: TestBackend;
  /** How each commit so far has waited: `full` for the disk. */
  let commits: () => readonly string[];
  beforeEach(async () => {
    const { mock } = vi.spyOn(SqliteConnection.prototype, "prepare");
    way = await openTestBackend({ kind: "sqlite" });
    // The backend purges when it opens, table by table; this is the last one.
    await vi.waitFor(() => {
      expect(mock.calls.at(-1)).toEqual(["commit"]);
      expect(mock.calls.some(([text]) => text.startsWith('delete from "outbox"'))).toBe(true);
    });
    const seen = mock.calls.length;
    commits = () => {
      let wait = "";
      return mock.calls.slice(seen).flatMap(([text]) => {
        wait = /^pragma synchronous = (\w+)$/.exec(text)?.[1] ?? wait;
        return text === "commit" ? [wait] : [];
      });
    };
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
  ])("waits for the disk once, when it is recorded how the try went: %s", async (_which, typed) => {
    await new Browser(way).login(typed);
    expect(commits()).toEqual(["normal", "full"]);
  });

  it.each([ANNA.username, "nikt.taki"])(
    "[S108] waits as long while tries are blocked, whether the username exists or not: %s",
    async (username) => {
      for (let nth = 0; nth < 6; nth += 1) await new Browser(way).login({ username, password: WRONG });
      expect(commits().slice(-2)).toEqual(["normal", "full"]);
    },
  );
});
