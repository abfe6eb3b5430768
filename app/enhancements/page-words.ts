/** The words that scripts say on any page. The server writes them into the body. */
export interface PageWords {
  /** Before the title of a page with a refused form. */
  readonly errorPrefix: string;
  /** While a request is under way, at first and once it takes long. */
  readonly wait: string;
  readonly slow: string;
  /** The button that shows a secret. The longer ones name the field, in place of `LABEL`. */
  readonly show: string;
  readonly hide: string;
  readonly showField: string;
  readonly hideField: string;
  readonly shown: string;
  readonly hidden: string;
  readonly capsLock: string;
}

/** The placeholder for a field's name. */
export const LABEL = "{{label}}";
