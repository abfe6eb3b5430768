export declare const SERVER_BUILD: string;
export declare const COMMANDS_BUILD: string;
export declare const SOURCES: readonly string[];
export declare function isBuilt(): boolean;
export declare function build(): Promise<void>;
