export declare function folderOfRun(now: Date, pid: number): string;
export declare function oldResults(
  names: readonly string[],
  goesOn?: (pid: number) => boolean,
): readonly string[];
