import { describe, expect, it } from "vitest";
import { mostAuc } from "../../../tools/attack/auc-bound";
import { cookieFindings } from "../../../tools/attack/cookie-attributes";
import { findHidden, readFfuf } from "../../../tools/attack/ffuf-report";
import { readNmap, scriptsIn } from "../../../tools/attack/nmap-report";
import { readSqlmap } from "../../../tools/attack/sqlmap-report";
import { readWapiti } from "../../../tools/attack/wapiti-report";
import * as recorded from "./recorded-reports";

// The findings were recorded on a small server with deliberate holes.
describe("sqlmap's output", () => {
  it("tells where it could inject, and how", () => {
    const { injections } = readSqlmap(recorded.SQLMAP_FOUND);
    expect(injections).toHaveLength(1);
    expect(injections[0]).toContain("Parameter: name (POST); Type: boolean-based blind");
    expect(injections[0]).toContain("PG_SLEEP(5)");
  });

  it("tells where even if sqlmap stops before its summary", () => {
    const early = recorded.SQLMAP_FOUND.slice(0, recorded.SQLMAP_FOUND.indexOf("sqlmap identified"));
    expect(readSqlmap(early).injections).toEqual(["parameter 'name' is vulnerable"]);
  });

  it("tells what it has tested to the end", () => {
    expect(readSqlmap(recorded.SQLMAP_HELD)).toEqual({ injections: [], cleared: ["pid", "policyNo"] });
  });
});

describe("wapiti's report", () => {
  it("tells of holes and anomalies, but not of a header that browsers have dropped", () => {
    expect(readWapiti(recorded.WAPITI_FOUND)).toEqual([
      "Cross Site Scripting: POST / (name): XSS vulnerability found via injection in the parameter name",
      "Secure Flag cookie: GET /: Secure flag is not set in the cookie : sid",
      "Internal Server Error: POST /home: The server responded with a 500 HTTP error code",
    ]);
  });

  it("tells of nothing where there is nothing", () => {
    expect(readWapiti(recorded.WAPITI_HELD)).toEqual([]);
  });
});

describe("nmap's report", () => {
  it("tells of risky methods, TRACE, weak ciphers and what scripts call vulnerable", () => {
    expect(readNmap(recorded.NMAP_FOUND).map((finding) => finding.split(":", 1)[0])).toEqual([
      "http-methods on port 28999",
      "http-enum on port 28999",
      "http-trace on port 28999",
      "ssl-enum-ciphers on port 28999",
      "ssl-poodle on port 28999",
    ]);
  });

  it("tells of nothing in a report about the portal", () => {
    expect(scriptsIn(recorded.NMAP_HELD).length).toBeGreaterThan(3);
    expect(readNmap(recorded.NMAP_HELD)).toEqual([]);
  });
});

describe("ffuf's report", () => {
  const open = { origin: "https://127.0.0.1:20000", paths: ["", "/robots.txt", "/home"] };

  it("tells of an address that should not be there", () => {
    expect(findHidden(readFfuf(recorded.FFUF_FOUND), open)).toEqual(["/.env answers 200"]);
  });

  it("tells of a redirect that leads away, and of an error", () => {
    const results = [
      { word: "a", status: 302, location: "https://evil.example/" },
      { word: "b", status: 302, location: "//evil.example" },
      { word: "c", status: 500, location: "" },
    ];
    expect(findHidden(results, open)).toHaveLength(3);
  });

  it("tells of nothing if it has only public pages, redirects of our own and pages that don't exist", () => {
    const results = [
      { word: "robots.txt", status: 200, location: "" },
      { word: "Home/", status: 200, location: "" },
      { word: "home/x", status: 302, location: "/home" },
      { word: "cp", status: 302, location: "https://127.0.0.1:20000/home" },
      { word: ".git/config", status: 404, location: "" },
    ];
    expect(findHidden(results, open)).toEqual([]);
  });
});

describe("the attributes of cookies", () => {
  it("are all required", () => {
    const good = "__Host-session=a; Path=/; HttpOnly; Secure; SameSite=Lax";
    expect(cookieFindings([good])).toEqual([]);
    for (const attribute of ["; Path=/", "; HttpOnly", "; Secure", "; SameSite=Lax", "__Host-"])
      expect(cookieFindings([good.replace(attribute, "")])).toHaveLength(1);
    expect(cookieFindings([`${good}; Domain=example.org`])).toEqual([
      "the cookie __Host-session has a Domain",
    ]);
  });
});

describe("the bound on telling times apart", () => {
  it("leaves more room for chance with few requests, and never less than is allowed", () => {
    expect(mostAuc(100, 0.55)).toBeCloseTo(0.664, 3);
    expect(mostAuc(2000, 0.55)).toBe(0.55);
  });
});
