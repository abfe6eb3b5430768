import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server.js";
import { expect, it } from "vitest";
import { SignOutQuestion } from "~/shell/sign-out-question";
import { ErrorSummary } from "~/ui/error-summary";

const render = (node: ReactNode) => renderToStaticMarkup(<StaticRouter location="/cp">{node}</StaticRouter>);

it("an error summary is read out at once, takes the focus, and leads to the fields", () => {
  const items = [{ href: "#f", text: "Pole: jest puste." }];
  const markup = render(<ErrorSummary id="errors" title="Pole: jest puste." items={items} />);
  expect(markup).toContain('role="alert" tabindex="-1"');
  expect(markup).toContain('<a href="#f"');
});

it("the question before a sign-out is a form that needs no scripts, and comes closed", () => {
  const markup = render(<SignOutQuestion />);
  expect(markup).toContain('<form method="post" action="/home/logout"');
  expect(markup).toContain('id="sign-out"');
  expect(markup).not.toContain(" open");
});
