import { expect, it } from "vitest";
import { folderOfRun, oldResults } from "../../../scripts/prepare/old-results.mjs";

/** The folders of runs that began a minute after one another; the first is process 1. */
const RUNS = Array.from({ length: 8 }, (_, nth) => folderOfRun(new Date(nth * 60_000), nth + 1));
const ended = () => false;

it("the folders of the last five test runs are kept", () => {
  expect(oldResults(RUNS.toReversed(), ended)).toEqual(RUNS.slice(0, 3));
  expect(oldResults(RUNS.slice(0, 5), ended)).toEqual([]);
});

it("a test run that goes on keeps its folder, however many begin beside it", () => {
  expect(oldResults(RUNS, (pid) => pid === 1 || pid === 8)).toEqual(RUNS.slice(1, 2));
  expect(oldResults(RUNS, () => true)).toEqual([]);
});

it("of what isn't a test run's nothing is deleted", () => {
  expect(oldResults(["bench.json", "e2e", ...Array<string>(9).fill("2026-11-28-notes")], ended)).toEqual([]);
});
