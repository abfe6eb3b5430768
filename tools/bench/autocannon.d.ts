/** The part of autocannon 9 that the bench uses; the package has no types. */
declare module "autocannon" {
  export interface Request {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Called before each request. */
    readonly setupRequest?: (request: Request) => Request;
  }

  export interface Options {
    readonly url: string;
    readonly connections: number;
    /** In seconds; ignored with `amount`. */
    readonly duration?: number;
    /** Requests in all. */
    readonly amount?: number;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly requests?: readonly Request[];
    /** In seconds. */
    readonly timeout?: number;
  }

  export interface Result {
    /** In milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number };
    /** By status code. */
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number } | undefined>>;
  }

  /** A run in progress; resolves when it ends. */
  export interface Run extends Promise<Result> {
    /** Ends it early, without waiting for requests in progress. */
    stop(): void;
    on(event: "response", listener: (connection: object, status: number) => void): unknown;
  }

  export default function autocannon(options: Options): Run;
}
