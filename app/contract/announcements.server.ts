/** An operator's message to all customers, in plain text, shown on every page until a moment. */
export interface Announcement {
  readonly text: string;
  readonly textEn: string;
  /** In ms since 1970. */
  readonly until: number;
}

/** Planned work: the portal is closed to customers until a moment. */
export interface Maintenance {
  /** In ms since 1970. */
  readonly until: number;
}

/** The latest announcement and maintenance, as far as known; either may be over. */
export interface Announced {
  readonly announcement?: Announcement | undefined;
  readonly maintenance?: Maintenance | undefined;
}

/** The longest text, in code points: it is read before anything else on a page. */
export const MOST_ANNOUNCEMENT = 300;

/** How far ahead its end may be, in days. A longer one is a typing error, or belongs in the texts of the portal. */
export const MOST_DAYS = { announcement: 90, maintenance: 7 } as const satisfies Record<
  keyof Announced,
  number
>;

const NOT_PLAIN = /[\p{Cc}\p{Cf}\p{Cs}\uFFFD]/u;

/** A typed text without spaces at its ends; undefined if it is empty, too long, or doesn't stay on one line. */
export function readPlainLine(typed: string, mostCharacters: number): string | undefined {
  const text = typed.normalize("NFC").trim();
  return text === "" || [...text].length > mostCharacters || NOT_PLAIN.test(text) ? undefined : text;
}
