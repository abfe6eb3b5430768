import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server.js";
import { expect, it } from "vitest";
import { PRODUCTS } from "~/contract/customer-area.server";
import { PolicyCard } from "~/ui/policy-card";
import { ProductIcon, type IconProduct } from "~/ui/icons";

const card = (more: { readonly product?: IconProduct; readonly href?: string } = {}) =>
  renderToStaticMarkup(
    <StaticRouter location="/cp">
      <ul>
        <PolicyCard name="Mieszkanie" state={{ text: "Aktywna", tone: "good" }} facts={[]} {...more} />
      </ul>
    </StaticRouter>,
  );
const icons = PRODUCTS.map((product) => renderToStaticMarkup(<ProductIcon product={product} />));

it("every product of the contract has an icon of its own, which is not read out", () => {
  expect(new Set(icons).size).toBe(PRODUCTS.length);
  for (const icon of icons) {
    expect(icon).toContain('aria-hidden="true"');
  }
});

it("a policy without a known product has the icon for any other product", () => {
  expect(card()).toBe(card({ product: "other" }));
  expect(card()).not.toBe(card({ product: "home" }));
});

it("a policy's name is a link only if the policy has a page, and is marked as Polish either way", () => {
  expect(card({ href: "/cp/policy/1" })).toMatch(/<h2 lang="pl"[^>]*><a [^>]*href="\/cp\/policy\/1"/);
  expect(card()).toMatch(/<h2 lang="pl"[^>]*>Mieszkanie<\/h2>/);
  expect(card()).not.toContain("<a");
});
