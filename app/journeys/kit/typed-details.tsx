import { useTexts } from "~/i18n/use-texts";
import { MaskedPhone } from "~/ui/phone";
import { TextLink } from "~/ui/text-link";

interface TypedDetailsProps {
  readonly policyNo: string;
  /** The personal identifier, all but its end masked. */
  readonly pid?: string | undefined;
  /** The first screen; it has kept the typed details. */
  readonly correctAt: string;
}

/** The details typed on the first screen of a journey: shows people the mistake that keeps a message away (F36). */
export function TypedDetails({ policyNo, pid, correctAt }: TypedDetailsProps) {
  const t = useTexts();
  return (
    <div>
      <p className="break-words">
        {t("common:typed.policyNo")} <strong className="font-semibold">{policyNo}</strong>
      </p>
      {pid !== undefined && (
        <p className="break-words">
          {t("common:typed.pid")}{" "}
          <strong className="font-semibold">
            <MaskedPhone shown={pid} />
          </strong>
        </p>
      )}
      <p className="-mb-2">
        <TextLink to={correctAt}>{t("common:typed.correct")}</TextLink>
      </p>
    </div>
  );
}

const SHOWN_END = 2;
const MASK = "•••••••••";

/** A personal identifier masked except for its end (F36); undefined if it is hardly longer than that. */
export function maskedIdentifier(typed: string): string | undefined {
  const characters = [...typed];
  return characters.length <= 2 * SHOWN_END ? undefined : MASK + characters.slice(-SHOWN_END).join("");
}
