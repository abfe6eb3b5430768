import { brotliDecompressSync, constants, createBrotliCompress } from "node:zlib";
import { SLOT_NAMES, type Slots } from "~/front-door/slots.server";
import { fillParts, type Part } from "./parts";

/** How many bytes after a value are stored with it: brotli predicts a letter from the two before it. */
const CONTEXT_BYTES = 2;
/** A try fails if brotli happens to find some of the random letters in the page and refers to them. */
const TRIES = 8;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A page that is packed once and takes any values of the same lengths. */
export interface PackedTemplate {
  fill(values: Slots): Buffer;
}

/**
 * Packs a page at brotli's best level, so that values can be replaced without packing it again. Brotli can store bytes
 * as they are, in a block of their own (RFC 7932 §9.2): each value becomes such a block.
 * @param like values of the lengths that the packed page takes
 * @returns undefined if brotli packed it differently than we expect
 */
export async function packTemplate(parts: readonly Part[], like: Slots): Promise<PackedTemplate | undefined> {
  for (let nth = 0; nth < TRIES; nth += 1) {
    const packed = lettersLike(like);
    const template = templateOf(await packInPieces(parts, packed));
    if (takes(template, parts, otherLetters(packed))) return template;
  }
  return undefined;
}

/** Packed bytes, or a value that is stored between them, with what stands before and after it. */
type Piece = Buffer | { readonly name: keyof Slots; readonly head: Buffer; readonly tail: Buffer };

function templateOf(pieces: readonly Piece[]): PackedTemplate {
  return {
    fill: (values) =>
      Buffer.concat(
        pieces.flatMap((piece) =>
          Buffer.isBuffer(piece) ? [piece] : [piece.head, Buffer.from(values[piece.name]), piece.tail],
        ),
      ),
  };
}

async function packInPieces(parts: readonly Part[], values: Slots): Promise<readonly Piece[]> {
  const brotli = new BrotliInPieces();
  const pieces: Piece[] = [];
  let taken = 0;
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1];
    if (Buffer.isBuffer(part)) {
      brotli.add(part.subarray(taken));
      taken = 0;
    } else if (!Buffer.isBuffer(next) || next.length < CONTEXT_BYTES) {
      brotli.add(Buffer.from(values[part]));
    } else {
      taken = CONTEXT_BYTES;
      const tail = next.subarray(0, taken);
      pieces.push(await brotli.take());
      brotli.add(Buffer.concat([Buffer.from(values[part]), tail]));
      // Drop brotli's own encoding of the value: the stored block replaces it.
      await brotli.take();
      pieces.push({ name: part, head: storedBlockHead(values[part].length + taken), tail });
    }
  }
  pieces.push(await brotli.finish());
  return pieces;
}

/** RFC 7932 §9.2: not the last block, a length of four nibbles, stored as it is; filled up to a whole byte. */
function storedBlockHead(bytes: number): Buffer {
  const bits = ((bytes - 1) << 3) | (1 << 19);
  return Buffer.from([bits & 0xff, (bits >> 8) & 0xff, bits >> 16]);
}

/** Whether a page with these values comes out as it went in. */
function takes(template: PackedTemplate, parts: readonly Part[], values: Slots): boolean {
  try {
    return brotliDecompressSync(template.fill(values)).equals(fillParts(parts, values));
  } catch {
    return false;
  }
}

/** Random letters of the same lengths, which brotli is unlikely to find elsewhere in the page. */
function lettersLike(values: Slots): Slots {
  const letter = () => LETTERS.charAt(Math.floor(Math.random() * LETTERS.length));
  return mapLetters(values, letter);
}

/**
 * Values with another letter in every place. Where brotli refers to a letter of a value, the page comes out wrong with
 * these; random ones would hide that if they happened to have the same letter there.
 */
function otherLetters(values: Slots): Slots {
  return mapLetters(values, (letter) => LETTERS.charAt((LETTERS.indexOf(letter) + 1) % LETTERS.length));
}

function mapLetters(values: Slots, letterFor: (letter: string) => string): Slots {
  const mapped = (text: string) => [...text].map(letterFor).join("");
  return Object.fromEntries(SLOT_NAMES.map((name) => [name, mapped(values[name])])) as unknown as Slots;
}

/** Brotli at its best level, with output in pieces that end at whole bytes. */
class BrotliInPieces {
  readonly #stream = createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  #chunks: Buffer[] = [];

  constructor() {
    this.#stream.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
  }

  add(bytes: Buffer): void {
    this.#stream.write(bytes);
  }

  /** All bytes since the last piece. */
  async take(): Promise<Buffer> {
    await new Promise<void>((resolve) => {
      this.#stream.flush(constants.BROTLI_OPERATION_FLUSH, resolve);
    });
    return this.#piece();
  }

  /** The last piece. */
  async finish(): Promise<Buffer> {
    await new Promise((resolve) => this.#stream.once("end", resolve).end());
    return this.#piece();
  }

  #piece(): Buffer {
    const piece = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return piece;
  }
}
