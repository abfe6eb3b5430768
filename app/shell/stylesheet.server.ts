import { createHash } from "node:crypto";
import { colourAnchors, environment } from "~/platform/config/environment.server";
import { schemesOf, ROLES, type Role, type Scheme } from "~/platform/config/palette";
import { documentCsp } from "~/server/front-door/content-policy";
import css from "~/ui/tailwind.css?inline";
import { isSecureOrigin } from "~/visit/browser.server";

const { light, dark } = schemesOf(colourAnchors(environment()));
const changing = ROLES.filter((role) => dark[role] !== light[role]);

/**
 * The whole stylesheet, starting with the brand's colours. Inlined into each page, so that the first view needs one
 * round trip. Print always uses the light scheme.
 */
export const stylesheet = `:root{${coloursOf(light, ROLES)}}@media screen and (prefers-color-scheme:dark){:root{${coloursOf(dark, changing)}}}${css.trim()}`;

/** The same stylesheet in UTF-8. */
export const stylesheetBytes = Buffer.from(stylesheet);

/** Its hash, as a content policy names it. */
export const styleHash = `sha256-${createHash("sha256").update(stylesheet).digest("base64")}`;

/** The content security policy of every page, which allows this stylesheet. */
export function pageCsp(): string {
  const development = import.meta.env.MODE === "development";
  return documentCsp({ styleHash, https: isSecureOrigin(), development });
}

function coloursOf(scheme: Scheme, roles: readonly Role[]): string {
  return roles.map((role) => `--${role}:${scheme[role]}`).join(";");
}
