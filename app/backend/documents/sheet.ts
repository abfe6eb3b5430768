/** The words of a document, to be laid out on A4 pages. */
export interface Sheet {
  /** BCP 47, for screen readers. */
  readonly language: string;
  /** Heading of the first page, and the document's title. */
  readonly title: string;
  /** Whose document it is, and the colour of its lines, as `#RRGGBB`. */
  readonly brand: { readonly name: string; readonly colour: string };
  /** Under the title: terms and their values. */
  readonly facts: readonly { readonly term: string; readonly value: string }[];
  /** Below the facts, one after the other. */
  readonly sections: readonly { readonly header: string; readonly paragraphs: readonly string[] }[];
  /** At the foot of each page. */
  readonly footer: string;
}
