/** A text message in the outbox. */
export interface Message {
  readonly to: string;
  readonly text: string;
  readonly sentAt: string;
}

/** A way to reach a backend with the demo's customers: in process or over HTTP. */
export interface Way {
  /** `path` starts with `/home/api/` or `/cp/api/`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Newest first. Empty if messages go to real phones. */
  outbox(): Promise<readonly Message[]>;
  /** If messages go to real phones: asks a person for the code in the newest message to a number. */
  askForCode?(phone: string): Promise<string>;
  /** Whether it may lack the optional calls: an insurer's server may, ours never. */
  readonly mayLeaveOut?: boolean;
  /** Moves the clock forward, if the backend allows it. */
  advance?(ms: number): void;
  close(): Promise<void>;
}
