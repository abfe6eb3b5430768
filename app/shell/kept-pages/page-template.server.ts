import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { SLOT_NAMES, type Slots } from "~/front-door/slots.server";
import { packTemplate, type PackedTemplate } from "./packed-template.server";
import { fillParts, splitAtMarks, type Part } from "./parts";

/**
 * Packing at brotli's best level takes a thread 100 ms. It is done at once for the first lengths of values, which
 * almost every answer has. Other lengths must be asked for this often first, because a visitor can make up hosts of any
 * length.
 */
const WORTH_PACKING = 10;
/** Packed forms of one page, each for values of other lengths. */
const MOST_PACKED = 4;
/** The level at which the library packs every other page. */
const QUICK = { [constants.BROTLI_PARAM_QUALITY]: 4 };

const packQuickly = promisify(brotliCompress);

/** A rendered page that takes each answer's own values. */
export class PageTemplate {
  readonly #parts: readonly Part[];
  /** By the lengths of the values: how often they were asked for, then the packed form or "impossible". */
  readonly #packed = new Map<string, number | PackedTemplate | "impossible">();
  /** Whether a form has been packed at its best, or is being packed. */
  #hasFirst = false;

  /**
   * @param html the page, with marks in place of the values
   * @param marks texts that the page does not contain otherwise
   */
  constructor(html: string, marks: Slots) {
    this.#parts = splitAtMarks(html, marks);
  }

  /** The page with these values. */
  fill(values: Slots): Buffer {
    return fillParts(this.#parts, values);
  }

  /** The page packed by brotli: at first quickly for each answer, later from the form packed at the best level. */
  pack(values: Slots): Buffer | Promise<Buffer> {
    const lengths = SLOT_NAMES.map((name) => values[name].length).join();
    const packed = this.#packed.get(lengths) ?? 0;
    if (typeof packed === "object") return packed.fill(values);
    if (typeof packed === "number") this.#count(lengths, packed + 1, values);
    return packQuickly(this.fill(values), { params: QUICK });
  }

  #count(lengths: string, asked: number, values: Slots): void {
    if (!this.#packed.has(lengths) && this.#packed.size >= MOST_PACKED) this.#packed.clear();
    this.#packed.set(lengths, asked);
    if (this.#hasFirst && asked !== WORTH_PACKING) return;
    this.#hasFirst = true;
    void packTemplate(this.#parts, values).then((template) => {
      this.#packed.set(lengths, template ?? "impossible");
    });
  }
}
