import { describe, expect, it } from "vitest";
import { answerWith, againstPlanted, namesOf, page } from "./planted";

describe("a run of generated requests", () => {
  it("finds nothing in a server that does nothing wrong, but says that it reached no form", async () => {
    const result = await againstPlanted((_request, _body, response) => {
      answerWith(response, page("nic"));
    });
    expect(result.findings).toEqual([]);
    expect(result.tally.unreached()).toContain("form /home/mfa");
  });

  it("finds a 500, and the smallest walk that brings it about", async () => {
    const answer: Parameters<typeof againstPlanted>[0] = (_request, body, response) => {
      if (body.includes("%00")) answerWith(response, page("ojej"), 500);
      else answerWith(response, page("nic"));
    };
    const { findings } = await againstPlanted(answer, { requests: 400 });
    const [first] = findings;
    expect(first?.faults[0]?.name).toBe("500");
    // Just one of the many steps of a walk.
    expect(first?.how.match(/"kind":"(?:form|call|page|wire)"/g)).toHaveLength(1);
    expect(first?.how).toContain("%00");
  });

  it("finds an answer that never comes", async () => {
    const answer: Parameters<typeof againstPlanted>[0] = (request, _body, response) => {
      if (request.url !== "/home/logout") answerWith(response, page("nic"));
    };
    const result = await againstPlanted(answer, { requests: 100, hangSeconds: 0.2 });
    expect(new Set(namesOf(result))).toEqual(new Set(["no answer"]));
  });

  it("finds a password that comes back", async () => {
    const result = await againstPlanted((_request, body, response) => {
      answerWith(response, page(body.replaceAll("<", "&lt;")));
    });
    expect(namesOf(result)).toContain("in the body");
  });

  it("finds what was typed in the log, the metrics and the database", async () => {
    const all = (typed: readonly string[]) => typed.join("\n");
    const answer = (_request: unknown, _body: string, response: Parameters<typeof answerWith>[0]) => {
      answerWith(response, page("nic"));
    };
    const where = async (leak: Parameters<typeof againstPlanted>[1]) =>
      new Set(namesOf(await againstPlanted(answer, leak)).map((name) => name.split(":", 1)[0]));
    expect(await where({ log: all })).toEqual(new Set(["in the log"]));
    expect(await where({ metrics: all })).toEqual(new Set(["in the metrics"]));
    expect(await where({ dump: all })).toEqual(new Set(["in the database"]));
  });
});
