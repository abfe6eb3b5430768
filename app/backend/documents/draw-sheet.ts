import { create } from "fontkit";
import PDFDocument from "pdfkit";
import bold from "./fonts/NotoSans-Bold.ttf?inline";
import regular from "./fonts/NotoSans-Regular.ttf?inline";

/** The words of a document, to be laid out on A4 pages. */
export interface Sheet {
  /** BCP 47, for screen readers. */
  readonly language: string;
  /** Heading of the first page, and the document's title. */
  readonly title: string;
  /** The brand's name, and the colour of the lines as `#RRGGBB`. */
  readonly brand: { readonly name: string; readonly colour: string };
  /** Under the title: terms and their values. */
  readonly facts: readonly { readonly term: string; readonly value: string }[];
  /** Below the facts, one after the other. */
  readonly sections: readonly { readonly header: string; readonly paragraphs: readonly string[] }[];
  /** At the foot of each page. */
  readonly footer: string;
}

// All lengths in points, 72 to the inch. A4 is 595 × 842.
const MARGIN = 57;
const HEAD_HEIGHT = 48;
const BRAND_HEIGHT = 26;
const FOOT_HEIGHT = 44;
const LINE_GAP = 3;
const TERM_SHARE = 0.36;
const GUTTER = 16;
const ROW_PADDING = 6;
const HAIRLINE = 0.6;
const SIZE = { brand: 11, title: 21, header: 12.5, body: 10.5, foot: 8.5 };
/** Terms and footer have a contrast of 6 to 1 with the paper. */
const COLOUR = { ink: "#1A1D21", grey: "#5C636B", hairline: "#D9DDE1" };

type Pdf = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;
interface Position {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/**
 * The build inlines fonts, so that the worker is one file. They are parsed once, because parsing takes longer than
 * laying out a document. pdfkit accepts a parsed font, though its types don't say so.
 */
function readFont(dataUri: string): Buffer {
  const font: unknown = create(Buffer.from(dataUri.slice(dataUri.indexOf(",") + 1), "base64"));
  return font as Buffer;
}
const REGULAR = readFont(regular);
const BOLD = readFont(bold);

/** Lays out words as a tagged PDF of A4 pages. Letters missing from the font show as boxes. */
export async function drawSheet(sheet: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = openDocument(sheet);
  const root = pdf.struct("Document");
  pdf.addStructure(root);
  root.add(pdf.struct("P", {}, () => drawBrand(pdf, sheet.brand)));
  root.add(pdf.struct("H1", {}, () => drawTitle(pdf, sheet.title)));
  drawFacts(pdf, root, sheet.facts);
  for (const section of sheet.sections) drawSection(pdf, root, section);
  root.end();
  drawEdges(pdf, sheet);
  pdf.end();
  const chunks: Buffer[] = [];
  for await (const chunk of pdf) chunks.push(chunk as Buffer);
  return inOneBuffer(chunks);
}

function openDocument({ title, language, brand }: Sheet): Pdf {
  const pdf = new PDFDocument({
    size: "A4",
    margins: { left: MARGIN, right: MARGIN, top: MARGIN + HEAD_HEIGHT, bottom: MARGIN + FOOT_HEIGHT },
    pdfVersion: "1.7",
    lang: language,
    tagged: true,
    displayTitle: true,
    info: { Title: clean(title), Author: clean(brand.name) },
    // No default font: ours are embedded.
    font: "",
    bufferPages: true,
  });
  return pdf.registerFont("regular", REGULAR).registerFont("bold", BOLD);
}

/** At the head of a page, inside its margin. */
function drawBrand(pdf: Pdf, { name }: Sheet["brand"]) {
  const { x, width } = column(pdf);
  write(pdf, name, { x, y: MARGIN, width }, { face: "bold", size: SIZE.brand, height: BRAND_HEIGHT });
}

function drawTitle(pdf: Pdf, title: string) {
  write(pdf, title, { ...column(pdf), y: pdf.page.margins.top + 10 }, { face: "bold", size: SIZE.title });
  pdf.y += 14;
}

/** Draws terms and values as a list that screen readers recognise. */
function drawFacts(pdf: Pdf, root: Element, facts: Sheet["facts"]) {
  if (facts.length === 0) return;
  const list = pdf.struct("L");
  root.add(list);
  for (const [index, fact] of facts.entries()) drawFact(pdf, list, fact, index === 0);
  list.end();
  pdf.y += 4;
}

function drawFact(pdf: Pdf, list: Element, { term, value }: Sheet["facts"][number], isFirst: boolean) {
  const { x, width } = column(pdf);
  const termWidth = width * TERM_SHARE;
  const left = { x, width: termWidth - GUTTER };
  const right = { x: x + termWidth, width: width - termWidth };
  const termHeight = heightOf(pdf, term, left.width, "regular");
  const valueHeight = heightOf(pdf, value, right.width, "bold");
  const isFirstOfPage = makeRoom(pdf, Math.max(termHeight, valueHeight) + 2 * ROW_PADDING) || isFirst;
  if (!isFirstOfPage) drawHairline(pdf, pdf.y);
  const y = pdf.y + ROW_PADDING;
  const pages = pdf.bufferedPageRange().count;
  const item = pdf.struct("LI");
  list.add(item);
  item.add(pdf.struct("Lbl", {}, () => write(pdf, term, { ...left, y }, { colour: COLOUR.grey })));
  const afterTerm = pdf.y;
  item.add(pdf.struct("LBody", {}, () => write(pdf, value, { ...right, y }, { face: "bold" })));
  item.end();
  const isOnOnePage = pdf.bufferedPageRange().count === pages;
  pdf.y = (isOnOnePage ? Math.max(afterTerm, pdf.y) : pdf.y) - LINE_GAP + ROW_PADDING;
}

function drawSection(pdf: Pdf, root: Element, { header, paragraphs }: Sheet["sections"][number]) {
  const twoLines = 2 * heightOf(pdf, "", 100, "regular");
  pdf.y += 18;
  // Keep the header with the first lines below it.
  makeRoom(pdf, heightOf(pdf, header, column(pdf).width, "bold", SIZE.header) + twoLines);
  root.add(pdf.struct("H2", {}, () => write(pdf, header, column(pdf), { face: "bold", size: SIZE.header })));
  pdf.y += 3;
  for (const paragraph of paragraphs) {
    root.add(pdf.struct("P", {}, () => write(pdf, paragraph, column(pdf), {})));
    pdf.y += 6;
  }
}

/**
 * Draws each page's coloured line and footer, and the brand on all but the first. Last, since it needs the page count.
 */
function drawEdges(pdf: Pdf, { brand, footer }: Sheet) {
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    // Otherwise text there would begin a new page.
    pdf.page.margins.bottom = 0;
    artifact(pdf, "Pagination", () => {
      if (page > 0) drawBrand(pdf, brand);
      pdf.rect(MARGIN, MARGIN + BRAND_HEIGHT, column(pdf).width, 2).fill(brand.colour);
      drawFoot(pdf, footer, `${page + 1} / ${count}`);
    });
  }
}

function drawFoot(pdf: Pdf, footer: string, number: string) {
  const { x, width } = column(pdf);
  const y = pdf.page.height - MARGIN - 24;
  const numberWidth = 60;
  const style = { size: SIZE.foot, colour: COLOUR.grey, height: MARGIN + 24 };
  pdf.rect(x, y - 8, width, HAIRLINE).fill(COLOUR.hairline);
  write(pdf, footer, { x, y, width: width - numberWidth - GUTTER }, style);
  write(pdf, number, { x: x + width - numberWidth, y, width: numberWidth }, { ...style, align: "right" });
}

interface Style {
  readonly face?: "regular" | "bold";
  readonly size?: number;
  readonly colour?: string;
  readonly align?: "left" | "right";
  /** Maximum; longer text ends in an ellipsis. */
  readonly height?: number;
}

function write(pdf: Pdf, text: string, { x, y, width }: Position, style: Style) {
  const { face = "regular", size = SIZE.body, colour = COLOUR.ink, align = "left", height } = style;
  const within = height === undefined ? {} : { height, ellipsis: true };
  pdf.font(face).fontSize(size).fillColor(colour);
  pdf.text(clean(text), x, y, { width, align, lineGap: LINE_GAP, ...within });
}

function heightOf(pdf: Pdf, text: string, width: number, face: "regular" | "bold", size: number = SIZE.body) {
  pdf.font(face).fontSize(size);
  return pdf.heightOfString(clean(text), { width, lineGap: LINE_GAP });
}

/** Starts a new page if this height doesn't fit. Returns whether it did. */
function makeRoom(pdf: Pdf, height: number): boolean {
  if (pdf.y + height <= pdf.page.maxY()) return false;
  pdf.addPage();
  return true;
}

function drawHairline(pdf: Pdf, y: number) {
  const { x, width } = column(pdf);
  artifact(pdf, "Layout", () => pdf.rect(x, y, width, HAIRLINE).fill(COLOUR.hairline));
}

/** Draws something that screen readers skip. */
function artifact(pdf: Pdf, type: "Layout" | "Pagination", draw: () => void) {
  pdf.markContent("Artifact", { type });
  draw();
  pdf.endMarkedContent();
}

const column = (pdf: Pdf): Position => ({ x: MARGIN, y: pdf.y, width: pdf.page.width - 2 * MARGIN });

/** Composes accented letters, as the font has them, and replaces control characters except line breaks by spaces. */
const clean = (text: string) =>
  text
    .normalize("NFC")
    .replace(/\s*(?:\r\n?|\n)/g, " \n")
    .replace(/[^\P{Cc}\n]/gu, " ");

/** Unlike Buffer.concat, never returns a part of a larger buffer, which can't be moved to another thread. */
function inOneBuffer(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
