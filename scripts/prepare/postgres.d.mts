export declare const hasPostgresPrograms: () => boolean;
export declare function providePostgres(options?: {
  readonly waitsForDisk?: boolean;
}): Promise<() => Promise<void>>;
