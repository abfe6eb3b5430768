import { create, parse } from "content-disposition";
import { z } from "zod";
import type { AnswerMessage } from "./messages.server";

/** The media type of every document. */
export const PDF = "application/pdf";
/** The largest document that may be sent, in bytes (contract: customer area). */
export const MOST_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** A document on its way to the customer. Read `body` to its end, or cancel it. */
export interface PdfFile {
  /** The name to save it under, with its extension. */
  readonly fileName: string;
  readonly body: ReadableStream<Uint8Array>;
  /** Its length, if known before it has been read. */
  readonly bytes?: number | undefined;
}

/** The response of a call that is answered with a document instead of JSON. */
export const pdfFile = z.custom<PdfFile>();

/** The headers of an answer with a document; its name in any alphabet (RFC 6266, RFC 8187). */
export function pdfHeaders({ fileName, bytes }: PdfFile): Readonly<Record<string, string>> {
  return {
    "content-type": PDF,
    "content-disposition": dispositionOf(safeName(fileName)),
    ...(bytes !== undefined && { "content-length": String(bytes) }),
  };
}

/** The name in any alphabet, and a copy without accents for clients that read only ASCII (F40). */
function dispositionOf(name: string): string {
  return create(name, { type: "attachment", fallback: inAscii(name) });
}

function inAscii(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/[\p{M}\u201E\u201D]/gu, "")
    .replaceAll("\u0142", "l")
    .replaceAll("\u0141", "L")
    .replaceAll(/[^\x20-\x7e]|%/g, "-");
}

/** A file name that is safe on any system: no folder, no line break, and always the extension `.pdf`. */
function safeName(fileName: string): string {
  const name = fileName.replaceAll(/[/\\\p{Cc}\p{Cs}]/gu, "-");
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}

/**
 * Reads an answer with a document.
 * @throws Error when it isn't one, or declares more than the largest length
 */
export function decodePdf(answer: AnswerMessage): PdfFile {
  try {
    return readPdf(answer);
  } catch (error) {
    // Otherwise the connection would wait for the body to be read.
    if (typeof answer.body !== "string") void answer.body.cancel();
    throw error;
  }
}

function readPdf({ headers, body }: AnswerMessage): PdfFile {
  const length = headers["content-length"] ?? "";
  const bytes = /^\d+$/.test(length) ? Number(length) : undefined;
  if (headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== PDF || typeof body === "string")
    throw new Error("The answer is not a PDF");
  if (bytes !== undefined && bytes > MOST_DOCUMENT_BYTES)
    throw new Error(`The document is longer than ${MOST_DOCUMENT_BYTES} bytes`);
  return { fileName: fileNameIn(headers["content-disposition"]), body, bytes };
}

/** The file name, or a general one if the backend sends none that can be read. */
function fileNameIn(disposition = ""): string {
  try {
    return parse(disposition).parameters["filename"] || FALLBACK_NAME;
  } catch {
    return FALLBACK_NAME;
  }
}

const FALLBACK_NAME = "dokument.pdf";
