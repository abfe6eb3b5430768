import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { SLOT_NAMES, type Slots } from "~/front-door/slots.server";
import { packTemplate, type PackedTemplate } from "./packed-template.server";
import { fillParts, splitAtMarks, type Part } from "./parts";

/** Once asked for this often, a page is packed at brotli's best, which takes 100 ms of a thread. */
const WORTH_PACKING = 10;
/** Packed forms of one page, each for values of other lengths. */
const MOST_PACKED = 4;
/** As the library packs every other page. */
const QUICK = { [constants.BROTLI_PARAM_QUALITY]: 4 };

const packQuickly = promisify(brotliCompress);

/** A rendered page that takes each answer's own values. */
export class PageTemplate {
  readonly #parts: readonly Part[];
  /** By the lengths of the values: how often it was asked for, then the packed form, or that there is none. */
  readonly #packed = new Map<string, number | PackedTemplate | "impossible">();

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

  /** The page packed by brotli: quickly and again for each answer at first, ready and at its best once it is in demand. */
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
    if (asked !== WORTH_PACKING) return;
    void packTemplate(this.#parts, values).then((template) => {
      this.#packed.set(lengths, template ?? "impossible");
    });
  }
}
