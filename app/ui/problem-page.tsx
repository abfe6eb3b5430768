import { PlainButtonLink } from "./button";
import { LooseBrickPicture, SignpostPicture } from "./illustrations";
import { PageHeading, Screen } from "./page-layout";
import { PhoneLinks } from "./phone";

/**
 * A page that says what went wrong, with the number that helps at any hour and a reference number for the helpline, if
 * any. Plain links work without scripts.
 */
export function ProblemPage({
  status,
  header,
  text,
  reference,
  always,
  home,
}: {
  readonly status: number;
  readonly header: string;
  readonly text: string;
  readonly reference?: string | undefined;
  readonly always?: string | undefined;
  readonly home?: string | undefined;
}) {
  return (
    <Screen picture={status === 404 ? <SignpostPicture /> : <LooseBrickPicture />} pictureFirst>
      <PageHeading header={header}>{text}</PageHeading>
      {always !== undefined && (
        <p className="mt-3">
          <PhoneLinks text={always} />
        </p>
      )}
      {home !== undefined && (
        <p className="mt-6">
          <PlainButtonLink href="/home">{home}</PlainButtonLink>
        </p>
      )}
      {reference !== undefined && (
        <p className="mt-6 text-sm text-muted">
          <PhoneLinks text={reference} />
        </p>
      )}
    </Screen>
  );
}
