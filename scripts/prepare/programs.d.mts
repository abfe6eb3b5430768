export declare const PROGRAMS: Readonly<
  Record<string, { readonly what: string; readonly packages: Readonly<Record<string, string>> }>
>;
