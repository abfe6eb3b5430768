import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server.js";
import { describe, expect, it } from "vitest";
import { Alert } from "~/ui/alert";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Disclosure } from "~/ui/disclosure";
import { ErrorSummary } from "~/ui/error-summary";
import { Footer, Header } from "~/shell/page-frame";
import { SignOutQuestion } from "~/shell/sign-out-question";
import { ProblemPage } from "~/shell/problem-page";
import { StepIndicator } from "~/ui/page-layout";
import { ruleBreaksIn } from "./markup";

const COMPONENTS: Readonly<Record<string, ReactNode>> = {
  Alert: <Alert kind="info">SMS z kodem wysłaliśmy o 12:05.</Alert>,
  Button: <Button type="submit">Zapisz</Button>,
  Dialog: (
    <Dialog id="message" header="Konto zablokowane" message="Zadzwoń." open>
      <Button type="button">OK</Button>
    </Dialog>
  ),
  Disclosure: <Disclosure summary="SMS nie dotarł?">Poczekaj.</Disclosure>,
  ErrorSummary: (
    <>
      <input id="f" type="hidden" />
      <ErrorSummary
        id="errors"
        title="Pole: jest puste."
        items={[{ href: "#f", text: "Pole: jest puste." }]}
      />
    </>
  ),
  Footer: <Footer here="/cp" />,
  Header: <Header home="/home" customer="Anna Nowak" />,
  SignOutQuestion: <SignOutQuestion />,
  ProblemPage: <ProblemPage status={500} requestId="b10c4a7be000" path="/cp" />,
  StepIndicator: <StepIndicator current={1} total={2} />,
};

const render = (node: ReactNode) => renderToStaticMarkup(<StaticRouter location="/cp">{node}</StaticRouter>);

describe("a component keeps the rules of the design system", () => {
  it.each(Object.entries(COMPONENTS))("%s", (_name, part) => {
    expect(ruleBreaksIn(render(part))).toEqual([]);
  });

  it("the check finds broken rules", () => {
    const broken = '<p style="x" id="a"></p><p id="a"></p><input id="b"/><label for="c"></label><svg></svg>';
    expect(ruleBreaksIn(broken)).toHaveLength(5);
  });
});

describe("an error summary", () => {
  it("is read out at once, takes the focus, and leads to the fields", () => {
    const markup = render(COMPONENTS["ErrorSummary"]);
    expect(markup).toContain('role="alert" tabindex="-1"');
    expect(markup).toContain('<a href="#f"');
  });
});

describe("the question before a sign-out", () => {
  it("is a form that needs no scripts, and comes closed", () => {
    const markup = render(COMPONENTS["SignOutQuestion"]);
    expect(markup).toContain('<form method="post" action="/home/logout"');
    expect(markup).toContain('id="sign-out"');
    expect(markup).not.toContain(" open");
  });
});
