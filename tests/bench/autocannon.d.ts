/** What the bench uses of autocannon 8, which brings no types. */
declare module "autocannon" {
  export interface Request {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Called before each sending. */
    readonly setupRequest?: (request: Request) => Request;
  }

  export interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds; not used with `amount`. */
    readonly duration?: number;
    /** Requests a second, of all connections together; without it as many as they can. */
    readonly overallRate?: number;
    /** Requests in all. */
    readonly amount?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly requests?: readonly Request[];
    /** Seconds. */
    readonly timeout?: number;
  }

  export interface Result {
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number };
    /** How many were answered; and how many never were. */
    readonly requests: { readonly total: number };
    readonly errors: number;
    /** By status code. */
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number } | undefined>>;
  }

  /** A run under way; its promise resolves at its end. */
  export interface Run extends Promise<Result> {
    /** Ends it before its time; what is on its way is not waited for. */
    stop(): void;
    on(event: "response", listener: (connection: object, status: number) => void): unknown;
  }

  export default function autocannon(options: Options): Run;
}
