export declare const FAST: string;
export declare const RELEASE: string;
export declare function testsOf(part: string):
  | {
      readonly vitest: readonly string[];
      readonly playwright: readonly string[];
    }
  | undefined;
