import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Threads from "piscina";
import type { Limits } from "~/platform/config/limits";
import { PdfWorkBusy, type PdfVerdict, type PdfWork } from "./pdf-work.server";
import type { MakeJob, ProtectJob } from "./pdf-worker";

const require = createRequire(import.meta.url);

/** The bundle of pdf-worker.ts. vite.config.ts builds both files. */
function bundle(): string {
  return import.meta.env.PROD ? "build/server/pdf-worker.js" : "node_modules/.cache/portal/workers/pdf.js";
}

/** Limit for the worker's JavaScript. qpdf's memory and the documents don't count towards it. */
const HEAP_MB = 160;
/** Limit for its young generation. Small, since V8 would let it grow to half of the thread's memory. */
const YOUNG_MB = 6;

/** How long an import waits for the verdict on a document. No customer waits for it, and the machine may be very busy. */
const CHECK_MS = 600_000;

/** The worker's jobs, by the names of its exports. */
interface Jobs {
  readonly make: { readonly task: MakeJob; readonly result: Uint8Array };
  readonly protect: { readonly task: ProtectJob; readonly result: Uint8Array };
  readonly check: { readonly task: Uint8Array; readonly result: PdfVerdict };
}

interface JobOptions {
  /** Buffers that the job gets instead of a copy. */
  readonly moved?: ArrayBuffer[];
  readonly late?: AbortSignal | undefined;
}

/**
 * Opens PDF work in one thread, which starts with the first job, or when it is warmed up, and ends after a while without
 * any.
 * @param file the worker's bundle, for programs that Vite didn't build
 */
export function openPdfWork(
  limits: Pick<Limits, "PDF_WAITING" | "PDF_IDLE_MS" | "PDF_MS">,
  file = bundle(),
): PdfWork {
  const filename = join(process.cwd(), file);
  let pool: Threads.Piscina | undefined;
  let unfinished = 0;
  let broken = new AbortController();

  // Loaded with the first job: few processes ever have one, and loading would slow down every start and every command.
  function openPool(): Threads.Piscina {
    const { Piscina } = require("piscina") as typeof Threads;
    const opened = new Piscina({
      filename,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: limits.PDF_IDLE_MS,
      // The portal's variables contain secrets, and its flags are not meant for the worker.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    // If the thread can't start, the pool fails no job; without this, each would wait until its time-out.
    return opened.on("error", (error) => {
      broken.abort(error);
      broken = new AbortController();
    });
  }

  async function run<Name extends keyof Jobs>(
    name: Name,
    task: Jobs[Name]["task"],
    { moved = [], late = AbortSignal.timeout(limits.PDF_MS) }: JobOptions = {},
  ) {
    // One more than may wait, because one is running.
    if (unfinished > limits.PDF_WAITING) throw new PdfWorkBusy();
    unfinished += 1;
    pool ??= openPool();
    const noThread = broken.signal;
    const signal = AbortSignal.any([late, noThread]);
    try {
      return (await pool.run(task, { name, signal, transferList: moved })) as Jobs[Name]["result"];
    } catch (cause) {
      if (late.aborted) throw new PdfWorkBusy("time is up", { cause });
      throw noThread.aborted ? noThread.reason : cause;
    } finally {
      unfinished -= 1;
    }
  }

  return {
    make: (sheet, password, late) => run("make", { sheet, password }, { late }),
    protect: (pdf, password, late) => run("protect", { pdf, password }, { moved: wholeBuffer(pdf), late }),
    check: (pdf) => run("check", pdf, { late: AbortSignal.timeout(CHECK_MS) }),
    warm: () => {
      pool ??= openPool();
      if (unfinished > 0 || pool.threads.length > 0) return;
      // An error at the start of the thread is reported by the next document.
      pool.run(undefined, { name: "warm", signal: broken.signal }).catch(() => undefined);
    },
    close: async () => pool?.destroy(),
  };
}

/** The buffer to move, if any. A part of a larger buffer, like most small `Buffer`s, must be copied. */
function wholeBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
