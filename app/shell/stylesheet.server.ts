import { createHash } from "node:crypto";
import { colourAnchors, environment } from "~/platform/config/environment.server";
import { coloursOf } from "~/platform/config/palette";
import css from "~/ui/tailwind.css?inline";

const colours = Object.entries(coloursOf(colourAnchors(environment())));

/** The whole stylesheet, the brand's colours first. Inlined into each page, so that the first view needs one round trip. */
export const stylesheet = `:root{${colours.map(([name, value]) => `--${name}:${value}`).join(";")}}${css.trim()}`;

/** Its hash, for the content security policy. */
export const stylesheetHash = `sha256-${createHash("sha256").update(stylesheet).digest("base64")}`;
