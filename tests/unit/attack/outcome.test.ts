import { describe, expect, it } from "vitest";
import { onlyWithSessions } from "../../../tools/attack/forced-browsing";
import { whyNotRun } from "../../../tools/attack/known-tools";
import { exitCodeOf, notRun, outcomeOf, reportLines, type Seen } from "../../../tools/attack/outcome";
import { requestOfNginx, type LoggedRequest } from "../../../tools/attack/traffic";

const NOTHING: Seen = { findings: [], notes: [] };
const answered = (...statuses: readonly number[]): readonly LoggedRequest[] =>
  statuses.map((status) => ({ method: "GET", path: "/home", status }));

describe("the verdict on an attack", () => {
  it('is "held" without findings, and "found" with one', () => {
    expect(outcomeOf("a", "others", NOTHING, answered(200, 400, 429)).kind).toBe("held");
    expect(outcomeOf("a", "others", { ...NOTHING, findings: ["x"] }, answered(200)).kind).toBe("found");
  });

  it.each([500, 502, 504])('is "found" after a %s, even during a flood', (status) => {
    for (const kind of ["flood", "others"] as const)
      expect(outcomeOf("a", kind, NOTHING, answered(200, status))).toMatchObject({
        kind: "found",
        findings: [`1 × status ${status}, first at GET /home`],
        traffic: { requests: 2 },
      });
  });

  it("accepts a 503 during a flood, and at no other time", () => {
    expect(outcomeOf("a", "flood", NOTHING, answered(503)).kind).toBe("held");
    expect(outcomeOf("a", "others", NOTHING, answered(503)).kind).toBe("found");
  });

  it('is "not run" if the attack never got there, unless something failed on its way', () => {
    const seen = { ...NOTHING, notReached: "no form was ever reached" };
    expect(outcomeOf("a", "others", seen, answered(302))).toMatchObject({
      kind: "not run",
      reason: "no form was ever reached",
    });
    expect(outcomeOf("a", "others", seen, answered(302, 500)).kind).toBe("found");
  });
});

describe("a known tool", () => {
  const tool = { program: "wapiti", exitCode: 0 };
  const ended = { output: "…\nTraceback: no module\n", code: 0, isCutShort: false };

  it("has run if it ended by itself or at its limit, left a report and kept its session", () => {
    expect(whyNotRun(tool, ended, "{}")).toBeUndefined();
    expect(whyNotRun(tool, { ...ended, code: null, isCutShort: true }, "{}")).toBeUndefined();
  });

  it.each([
    ["failed", { ...ended, code: 1 }, "{}", [], "wapiti ended with 1: Traceback: no module"],
    [
      "could not be started",
      { ...ended, code: null },
      "{}",
      [],
      "wapiti ended with null: Traceback: no module",
    ],
    ["left no report", ended, "", [], "wapiti wrote no report"],
    ["reached no form", ended, "{}", ["no form was ever reached"], "no form was ever reached"],
    ["lost its session", ended, "{}", [undefined, "it answers 302"], "afterwards it answers 302"],
  ] as const)("that %s was not run, and the command fails", (_what, end, report, seen, reason) => {
    const notReached = whyNotRun(tool, end, report, ...seen);
    expect(notReached).toBe(reason);
    const outcome = outcomeOf(
      "wapiti",
      "others",
      { ...NOTHING, ...(notReached && { notReached }) },
      answered(200),
    );
    expect(exitCodeOf([outcome])).toBe(1);
  });
});

describe("forced browsing whose session has changed", () => {
  const found: Seen = { findings: ["/cp: page gives → /home, not 200"], notes: ["600 outcomes"] };

  it("was not run, and its findings say nothing", () => {
    const seen = onlyWithSessions(found, ["signed-in: 401 and 401 instead of 200 and 200"]);
    const outcome = outcomeOf("forced browsing", "others", seen, answered(302));
    expect(outcome).toMatchObject({
      kind: "not run",
      reason: "a session changed: signed-in: 401 and 401 instead of 200 and 200",
      notes: ["600 outcomes", "findings left out, since a session changed meanwhile: 1"],
    });
    expect(exitCodeOf([outcome])).toBe(1);
  });

  it("is judged as it is otherwise", () => {
    expect(onlyWithSessions(found, [])).toBe(found);
  });
});

describe("the table", () => {
  const outcomes = [
    outcomeOf("one", "flood", { findings: [], notes: ["slow"] }, answered(200, 503, 503)),
    outcomeOf("two", "others", { findings: ["a hole"], notes: [] }, answered(200)),
    notRun("three", "it is not installed"),
  ];

  it("has a row for each, then notes, findings in full, and how many were not run", () => {
    expect(reportLines(outcomes)).toEqual([
      "",
      "attack  requests  findings      5xx  verdict",
      "──────  ────────  ────────  ───────  ───────",
      "one            3         0  2 × 503  held",
      "two            1         1        0  found",
      "three          0         0        0  not run",
      "",
      "Notes:",
      "  one: slow",
      "  three: not run: it is not installed",
      "",
      "Findings:",
      "  two: a hole",
      "",
      "Attacks: 3; held 1, found 1; 1 was not run.",
    ]);
  });

  it("ends with exit code 1 after a finding, and after an attack that was not run", () => {
    const [held, found, missed] = outcomes.map((outcome) => exitCodeOf([outcome]));
    expect([held, found, missed]).toEqual([0, 1, 1]);
    expect(exitCodeOf(outcomes)).toBe(1);
  });
});

describe("a line of nginx's log", () => {
  const line = (parts: object) =>
    JSON.stringify({
      client: "127.0.0.1",
      method: "GET",
      path: "/home",
      status: 503,
      answers: "503",
      ...parts,
    });

  it("counts as what the portal answered", () => {
    expect(requestOfNginx(line({}))?.status).toBe(503);
    expect(requestOfNginx(line({ status: 200, answers: "502, 200" }))?.status).toBe(200);
  });

  it("counts as the 502 or 504 that nginx got, even if it answered with a 503 of its own", () => {
    expect(requestOfNginx(line({ answers: "502" }))?.status).toBe(502);
    expect(requestOfNginx(line({ answers: "502, 504" }))?.status).toBe(504);
  });

  it("does not count if it is the probe's, or empty", () => {
    expect(requestOfNginx(line({ client: "127.0.0.2" }))).toBeUndefined();
    expect(requestOfNginx("")).toBeUndefined();
  });
});
