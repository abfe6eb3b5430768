export declare const PARTS: Readonly<Record<string, { readonly about: string; readonly path: RegExp }>>;
export declare function testsOf(part: string): {
  readonly vitest: readonly string[];
  readonly playwright: readonly string[];
};
