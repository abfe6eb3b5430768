/** The content of a page, read from its HTML without a browser. */
export interface Page {
  readonly title: string;
  readonly heading: string;
  /** The visible text of `main`, with white space collapsed. */
  readonly text: string;
  /** The value of a field when the page arrives. */
  readonly value: (field: string) => string | undefined;
  /** Whether the page has the field. */
  readonly has: (field: string) => boolean;
  /** The label of the submit button with this intent, or undefined. */
  readonly button: (intent: string) => string | undefined;
  /** The header of the open dialog, and its whole HTML. */
  readonly dialog: string | undefined;
  readonly dialogHtml: string;
  /** The text of the alert. */
  readonly alert: string;
  /** Whether a field is marked as wrong. */
  readonly isInvalid: (field: string) => boolean;
  /** The error message of a field marked as wrong, found by `aria-describedby`. */
  readonly errorAt: (field: string) => string | undefined;
  /** Whether the page contains a sentence. */
  readonly says: (sentence: string) => boolean;
}

/** Reads a page. */
export function readPage(html: string): Page {
  const main = /<main[\s>][\s\S]*<\/main>/.exec(html)?.[0] ?? "";
  const inputs = new Map(
    Array.from(main.matchAll(/<input\b[^>]*>/g), ([tag]) => [attribute(tag, "name") ?? "", tag]),
  );
  const dialogHtml = /<dialog\b[^>]*\sopen[\s\S]*?<\/dialog>/.exec(main)?.[0] ?? "";
  const dialog = /<h2[^>]*>([\s\S]*?)<\/h2>/.exec(dialogHtml)?.[1];
  const text = plain(main);
  const isInvalid = (field: string) => attribute(inputs.get(field) ?? "", "aria-invalid") === "true";
  return {
    isInvalid,
    errorAt: (field) => {
      if (!isInvalid(field)) return undefined;
      const tied = attribute(inputs.get(field) ?? "", "aria-describedby")?.split(" ") ?? [];
      const error = tied.find((id) => id.endsWith("-error")) ?? "";
      return plain(new RegExp(`<p id="${error}"[\\s\\S]*?</p>`).exec(main)?.[0] ?? "");
    },
    alert: plain(/<div [^>]*role="alert"[\s\S]*?(?=<form|$)/.exec(main)?.[0] ?? ""),
    dialogHtml,
    title: plain(/<title>([\s\S]*?)<\/title>/.exec(html)?.[1] ?? ""),
    heading: plain(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(main)?.[1] ?? ""),
    text,
    has: (field) => inputs.has(field),
    value: (field) => {
      const tag = inputs.get(field);
      return tag === undefined ? undefined : (attribute(tag, "value") ?? "");
    },
    button: (intent) => {
      const [, attributes = "", label = ""] =
        Array.from(main.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)).find(
          ([, found = ""]) => attribute(found, "value") === intent,
        ) ?? [];
      return attributes === "" ? undefined : plain(label);
    },
    dialog: dialog === undefined ? undefined : plain(dialog),
    says: (sentence) => text.includes(sentence),
  };
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescape(value);
}

function plain(html: string): string {
  return unescape(html.replace(/<!--.*?-->/g, "").replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

function unescape(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}
