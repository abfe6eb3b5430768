/** A masked phone number as shown, and the words that a screen reader says instead: "kończący się na 0 0 1". */
export interface MaskedNumber {
  readonly shown: string;
  readonly spoken: string;
}

/** A masked phone number: it never breaks apart, and no screen reader spells its dots. */
export function MaskedPhone({ shown, spoken }: MaskedNumber) {
  return (
    <span role="img" aria-label={spoken} className="whitespace-nowrap">
      {shown}
    </span>
  );
}
