import { type MaskedNumber, MaskedPhone } from "~/ui/phone";
import { TextLink } from "~/ui/text-link";

/** The details typed on the first screen of a journey, with the way back to it. */
export interface TypedDetailsProps {
  readonly policyNo: string;
  /** The personal identifier, all but its end masked. */
  readonly pid?: MaskedNumber | undefined;
  /** The first screen; it has kept the typed details. */
  readonly correctAt: string;
  readonly words: Readonly<Record<"policyNo" | "pid" | "correct", string>>;
}

/** Shows people the mistake that keeps a message from arriving (F36). */
export function TypedDetails({ policyNo, pid, correctAt, words }: TypedDetailsProps) {
  return (
    <div>
      <p className="break-words">
        {words.policyNo} <strong className="font-semibold">{policyNo}</strong>
      </p>
      {pid && (
        <p className="break-words">
          {words.pid}{" "}
          <strong className="font-semibold">
            <MaskedPhone {...pid} />
          </strong>
        </p>
      )}
      <p className="-mb-2">
        <TextLink to={correctAt}>{words.correct}</TextLink>
      </p>
    </div>
  );
}
