import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { problem, problemOf, PROBLEM_STATUSES, type ProblemStatus } from "~/shell/problem";
import { ProblemPage } from "~/shell/problem-page";

const pageOf = (status: ProblemStatus, path = "/home/register") =>
  renderToStaticMarkup(<ProblemPage status={status} requestId="b10c4a7be000" path={path} />);

describe("a problem page", () => {
  it.each(PROBLEM_STATUSES)("%i says what to do", (status) => {
    const texts = pageOf(status).replace(/<svg.*?<\/svg>/gs, "");
    expect(texts).toMatch(/<h1[^>]*>\p{Lu}[^{}<]+<\/h1><p[^>]*>\p{Lu}[^{}<]+</u);
  });

  it.each(PROBLEM_STATUSES)(
    "[F52] %i shows the reference number and the time, unless the address was mistyped",
    (status) => {
      const number = /b10c4a7be000, \d{1,2}\.\d{2}\.\d{4}, \d{1,2}:\d{2}/;
      expect(number.test(pageOf(status))).toBe(status !== 404);
    },
  );

  it.each(["/home", "/cp"])(
    "invites to try again at %s, where the portal's start would be the same page",
    (here) => {
      expect(pageOf(503, here)).toContain("Spróbuj ponownie");
      expect(pageOf(503)).toContain("Przejdź do portalu");
    },
  );

  it("names the helpline without a number while the portal is closed, and leads nowhere", () => {
    const page = renderToStaticMarkup(
      <ProblemPage status={503} requestId="b10c4a7be000" path="/" isClosed />,
    );
    expect(page).not.toContain("b10c4a7be000");
    expect(page).not.toContain('href="/home"');
    expect(page).toContain("Infolinia");
  });

  it("is thrown with its status and headers; an unknown status is a 500", () => {
    const thrown = problem(405, { Allow: "GET, HEAD" });
    expect(thrown.init?.status).toBe(405);
    expect(new Headers(thrown.init?.headers).get("Allow")).toBe("GET, HEAD");
    expect([problemOf(405), problemOf(418)]).toEqual([405, 500]);
  });
});
