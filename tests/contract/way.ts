/** A text message of the outbox. */
export interface Message {
  readonly to: string;
  readonly text: string;
  readonly sentAt: string;
}

/** A way into a backend with the demo's customers: in process, or over HTTP. */
export interface Way {
  /** `path` begins with `/home/api/` or `/cp/api/`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Newest first. Empty where messages go to real phones. */
  outbox(): Promise<readonly Message[]>;
  /** Where messages go to real phones: the code in the newest one to a number, from somebody who can read it. */
  askForCode?(phone: string): Promise<string>;
  /** Where time can be moved: by so many ms. */
  advance?(ms: number): void;
  close(): Promise<void>;
}
