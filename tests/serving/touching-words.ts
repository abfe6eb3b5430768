/** Tags that text browsers begin and end lines with; the rest stands in the line, `details` and `summary` too. */
const LINES =
  /<\/?(?:address|article|aside|body|br|dd|dialog|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|p|section|table|tbody|td|th|thead|tr|ul)\b[^>]*>/g;
/** What a text browser shows as no text, or draws between brackets. */
const NO_WORDS = /<(script|style|svg|title)\b.*?<\/\1>|<!--.*?-->/gs;

/** Words of a page that touch in a text browser, because only the style sheet keeps them apart: "To nie jaTo ja". */
export function touchingWords(html: string): readonly string[] {
  const lines = html
    .replaceAll(NO_WORDS, "")
    .replaceAll(LINES, "\n")
    .replaceAll(/<(?:input|button|textarea|select)\b[^>]*>|<\/button>/g, (tag) =>
      tag.includes("button") ? "|" : "\n",
    )
    .replaceAll(/<[^>]*>/g, "|");
  return [...lines.matchAll(/[^\s|]*[\p{L}\p{N}.,:]\|+[\p{L}\p{N}][^\s|]*/gu)].map(([words]) =>
    words.replace(/\|+/, "|"),
  );
}
