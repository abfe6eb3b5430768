import type { CallMessage } from "~/contract/messages.server";

/** A request's body, or the status that refuses it. */
export type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "empty" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "refused"; readonly status: 413 | 415 };

/**
 * Reads a JSON body, counting bytes as they arrive. Never throws, and never cancels the stream, which would kill the
 * answer.
 */
export async function readBody({ headers, body }: CallMessage, mostBytes: number): Promise<Body> {
  const bytes = await readBytes(typeof body === "string" ? [Buffer.from(body)] : body, mostBytes);
  if (bytes === "too-large") return { kind: "refused", status: 413 };
  if (bytes === "broken") return { kind: "unreadable" };
  if (bytes.byteLength === 0) return { kind: "empty" };
  if (!isJson(headers["content-type"] ?? "")) return { kind: "refused", status: 415 };
  try {
    return { kind: "json", value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return { kind: "unreadable" };
  }
}

async function readBytes(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mostBytes: number,
): Promise<Uint8Array | "too-large" | "broken"> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.byteLength;
      // The rest is read and dropped.
      if (length <= mostBytes) chunks.push(chunk);
    }
  } catch {
    return "broken";
  }
  return length > mostBytes ? "too-large" : Buffer.concat(chunks);
}

/** Whether a media type is JSON in UTF-8, the only encoding it may have (RFC 8259 §8.1). */
function isJson(contentType: string): boolean {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return type === "application/json" && (charset === undefined || /^charset="?utf-8"?$/.test(charset));
}
