import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server.js";
import { describe, expect, it } from "vitest";
import { Alert } from "~/ui/alert";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Disclosure } from "~/ui/disclosure";
import { ErrorSummary } from "~/ui/error-summary";
import { Footer, Header } from "~/ui/page-frame";
import { SignOutQuestion } from "~/shell/parts-for-scripts";
import { ProblemPage } from "~/ui/problem-page";
import { StepIndicator } from "~/ui/page-layout";
import { ruleBreaksIn } from "./markup";

const DOCUMENT = { href: "/documents/a.pdf", text: "Regulamin", note: "PDF, 58 kB", download: true };
const ELSEWHERE = {
  href: "https://tarnea.example/",
  text: "Prywatność",
  note: "w nowej karcie",
  download: false,
};

const COMPONENTS: Readonly<Record<string, ReactNode>> = {
  Alert: (
    <Alert kind="info" word="Informacja">
      SMS z kodem wysłaliśmy o 12:05.
    </Alert>
  ),
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
  Footer: (
    <Footer
      label="Dokumenty"
      documents={[DOCUMENT, ELSEWHERE]}
      languages={[{ href: "/language/en?back=%2Fhome", text: "English", lang: "en" }]}
      helpline="22"
      always="23"
      copyright="©"
      version="95"
    />
  ),
  Header: (
    <Header
      brand={{ name: "Tarnea", second: "Ubezpieczenia", logo: undefined }}
      home={{ href: "/home", label: "Tarnea – portal klienta" }}
      customer={{ signedInAs: "Zalogowano: Anna", signOut: "Wyloguj się", signOutHref: "#sign-out" }}
      menu={{ label: "Menu", entries: [{ href: "/cp", text: "Moje polisy", current: "page" }] }}
    />
  ),
  SignOutQuestion: (
    <SignOutQuestion header="Czy?" message="Zakończymy sesję." back="Wróć" confirm="Wyloguj się" />
  ),
  ProblemPage: (
    <ProblemPage
      status={500}
      header="Nie ma takiej strony"
      text="Sprawdź."
      reference="Numer"
      home="Do portalu"
    />
  ),
  StepIndicator: <StepIndicator text="Krok 1 z 2" current={1} total={2} />,
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

describe("the links in the footer", () => {
  it("give another site no access to our window, and save documents under their own names", () => {
    const markup = render(COMPONENTS["Footer"]);
    expect(markup).toMatch(/href="https:\/\/tarnea\.example\/"[^>]*target="_blank" rel="noreferrer"/);
    expect(markup).toMatch(/href="\/documents\/a\.pdf"[^>]*download=""/);
  });
});

describe("the menu", () => {
  it("marks the current entry, not by colour alone", () => {
    expect(render(COMPONENTS["Header"])).toMatch(/aria-current="page"[^>]*>Moje polisy/);
  });
});
