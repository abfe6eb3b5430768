import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { PdfVerdict } from "./pdf-work.server";

/** The part of Emscripten's module that we use; the package's own types lack most of it. */
interface Qpdf {
  readonly callMain: (args: string[]) => number;
  readonly FS: {
    readonly init: (
      input: () => null,
      output: (character: number) => void,
      error: (character: number) => void,
    ) => void;
    readonly writeFile: (path: string, bytes: Uint8Array) => void;
    readonly unlink: (path: string) => void;
  };
}

/** https://emscripten.org/docs/api_reference/module.html */
interface QpdfOptions {
  readonly preRun: readonly ((qpdf: Qpdf) => void)[];
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, code: WebAssembly.Module) => void,
  ) => object;
}

// Files in memory: Emscripten's default file system, which never touches a disk.
const INPUT = "/in.pdf";
/** Standard output. A file would grow in small steps, each a copy: in all, ten times the size of a large document. */
const OUTPUT = "-";
/** Exit status of `--is-encrypted`: https://qpdf.readthedocs.io/en/stable/cli.html#exit-status */
const ENCRYPTED = 0;
/** Exit status of other commands for anything worse than a warning. */
const ERRORS = 2;
/** 128 bits, written as letters and digits. Every further byte makes revision 6 slower. */
const OWNER_BYTES = 16;

const ignore = () => undefined;
const require = createRequire(import.meta.url);
const load = require("@neslinesli93/qpdf-wasm") as (options: QpdfOptions) => Promise<Qpdf>;
const code = new WebAssembly.Module(readFileSync(require.resolve("@neslinesli93/qpdf-wasm/dist/qpdf.wasm")));

/** A document is rewritten with hardly more bytes than it had. */
const ROOM_FACTOR = 1.02;
const ROOM_BYTES = 64 * 1024;

/** The standard output of a qpdf. */
class Written {
  #bytes = new Uint8Array(0);
  #length = 0;

  /** Clears the output, and makes room for a document of about this length. */
  begin(length: number): void {
    this.#bytes = new Uint8Array(Math.ceil(length * ROOM_FACTOR) + ROOM_BYTES);
    this.#length = 0;
  }

  readonly write = (byte: number): void => {
    if (this.#length === this.#bytes.length) this.#grow();
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  };

  /** Returns the output and gives up its buffer. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return taken;
  }

  #grow(): void {
    const more = new Uint8Array(this.#bytes.length * 2 + ROOM_BYTES);
    more.set(this.#bytes);
    this.#bytes = more;
  }
}

/** A qpdf, and its output. */
interface OwnQpdf {
  readonly qpdf: Qpdf;
  readonly written: Written;
}

/**
 * Starts qpdf with memory of its own. It can't reach our files, the network or the console. `onError` gets its messages
 * character by character; they may quote arguments, including the password.
 */
async function startQpdf(onError: (character: number) => void = ignore): Promise<OwnQpdf> {
  const written = new Written();
  const qpdf = await load({
    preRun: [({ FS }) => FS.init(() => null, written.write, onError)],
    instantiateWasm: (imports, done) => {
      done(new WebAssembly.Instance(code, imports), code);
      return {};
    },
  });
  return { qpdf, written };
}

/** Returns the encrypted document; undefined if qpdf refused it or had to repair it. */
function encrypt(
  { qpdf, written }: OwnQpdf,
  pdf: Uint8Array,
  password: string,
): Uint8Array<ArrayBuffer> | undefined {
  qpdf.FS.writeFile(INPUT, pdf);
  const owner = randomBytes(OWNER_BYTES).toString("hex");
  // With "=", because a password may begin with a hyphen.
  const passwords = [`--user-password=${password}`, `--owner-password=${owner}`, "--bits=256"];
  written.begin(pdf.byteLength);
  // Encrypt streams without compressing them again.
  const status = qpdf.callMain(["--encrypt", ...passwords, "--", "--stream-data=preserve", INPUT, OUTPUT]);
  const encrypted = written.take();
  if (status !== 0) return undefined;
  qpdf.FS.unlink(INPUT);
  return encrypted;
}

/** Encrypts a document from elsewhere, in a qpdf that is used only once, so that no document can harm another. */
export async function encryptTheirs(pdf: Uint8Array, password: string): Promise<Uint8Array<ArrayBuffer>> {
  const encrypted = encrypt(await startQpdf(), pdf, password);
  if (!encrypted) throw new Error("qpdf refused a document");
  return encrypted;
}

/** Each call of qpdf's main leaves something on its stack, which is full after two hundred. */
const MOST_USES = 20;

let forOurs: { readonly own: OwnQpdf; readonly uses: number } | undefined;

/** Encrypts a document that we made. Reuses qpdf a few times, because starting it costs more than the work. */
export async function encryptOurs(pdf: Uint8Array, password: string): Promise<Uint8Array<ArrayBuffer>> {
  const { own, uses } = forOurs ?? { own: await startQpdf(), uses: 0 };
  // Reused only after a success: a failure may leave it in any state.
  forOurs = undefined;
  const encrypted = encrypt(own, pdf, password);
  if (!encrypted) throw new Error("qpdf refused a document of ours");
  if (uses + 1 < MOST_USES) forOurs = { own, uses: uses + 1 };
  return encrypted;
}

/**
 * Checks that `encryptTheirs` will take a document and that its pages can be drawn. Doesn't look into images and fonts.
 */
export async function checkPdf(pdf: Uint8Array): Promise<PdfVerdict> {
  let errors = "";
  try {
    const { qpdf } = await startQpdf((character) => (errors += String.fromCharCode(character)));
    qpdf.FS.writeFile(INPUT, pdf);
    if (qpdf.callMain(["--is-encrypted", INPUT]) === ENCRYPTED) return "encrypted";
    // This build of qpdf reports a missing password, or an unknown kind of encryption, as an error.
    if (/invalid password|unsupported encryption/.test(errors)) return "encrypted";
    // Encrypting reads only the structure; this also unpacks what the pages draw. Its warnings are harmless.
    if (qpdf.callMain(["--check", INPUT]) === ERRORS) return "not-a-pdf";
    // In another qpdf: the standard output of this one has text in it.
    return encrypt(await startQpdf(), pdf, "password") ? "fine" : "not-a-pdf";
  } catch {
    // qpdf aborted, for example because it ran out of memory.
    return "not-a-pdf";
  }
}
