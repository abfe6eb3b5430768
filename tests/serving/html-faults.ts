import { HtmlValidate } from "html-validate";
import { ask } from "../http-request";
import type { PublicPortal } from "../portal";

const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // React's own style: `<input/>`, `async=""`, `&#x27;`, no white space.
    "void-style": ["error", { style: "selfclosing" }],
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "no-trailing-whitespace": "off",
    "doctype-style": ["error", { style: "uppercase" }],
    // The policy allows the one style sheet by its hash, and scripts that are our own files.
    "no-inline-style": "error",
    "require-sri": "off",
    // A label around its switch has `for` too, since some voice controls only read the attribute.
    "no-redundant-for": "off",
    // Phone numbers in texts have hard spaces.
    "tel-non-breaking": "off",
    // A title says where the visitor is; it needn't be short for search engines, which don't come here.
    "long-title": "off",
  },
});

/** Pages of the gallery, by their addresses. */
type Pages = ReadonlyMap<string, string>;

/** The gallery, the outbox and every state that the gallery links to, as served. */
export async function galleryPages({ port }: Pick<PublicPortal, "port">): Promise<Pages> {
  const get = async (path: string) => (await ask({ port, path })).body;
  const gallery = await get("/demo/gallery");
  const states = [...gallery.matchAll(/href="(\/demo\/gallery\/[^"]+)"/g)].map((match) => match[1] ?? "");
  if (states.length <= 60) throw new Error(`the gallery links to ${states.length} states only`);
  const found = new Map([["/demo/gallery", gallery]]);
  for (const path of ["/demo/sms", ...states]) found.set(path, await get(path));
  return found;
}

/** The faults in pages, each with the first page that has it. */
export async function faultsIn(pages: Pages): Promise<Readonly<Record<string, string>>> {
  const faults = new Map<string, string>();
  for (const [path, html] of pages)
    for (const fault of await faultsOf(html)) if (!faults.has(fault)) faults.set(fault, path);
  return Object.fromEntries(faults);
}

async function faultsOf(html: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? ""})`),
  );
}
