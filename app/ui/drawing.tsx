import type { SVGProps } from "react";

/** Files of ours, which the build reads: no input of a visitor gets here. */
const FILES = import.meta.glob<string>("./{icons,pictures}/*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});
const WHOLE = /^<svg xmlns="[^"]+" viewBox="([^"]+)">\n(.*)<\/svg>\n$/s;

/** Makes a component of a file: its lines in an element with these attributes. */
export function drawing(file: string, attributes: SVGProps<SVGSVGElement>) {
  const [, viewBox, lines] = WHOLE.exec(FILES[`./${file}.svg`] ?? "") ?? [];
  if (lines === undefined) throw new Error(`${file}.svg: no file, or not written like the others`);
  const inner = { __html: lines.replaceAll(/^ +|\n/gm, "") };
  return ({ className = attributes.className }: { readonly className?: string }) => (
    <svg viewBox={viewBox} {...attributes} className={className} dangerouslySetInnerHTML={inner} />
  );
}
