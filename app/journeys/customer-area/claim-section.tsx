import { BulletList } from "~/ui/bullet-list";
import { PlainButtonLink } from "~/ui/button";
import { dialling, HelplinePhones, PhoneLinks } from "~/ui/phone";
import { Section } from "~/ui/page-layout";

/** The words of `ClaimSection`. */
export interface ClaimWords {
  /** For links to it. */
  readonly id: string;
  readonly header: string;
  /** The insurer's page for claims, or the number with the longest hours. */
  readonly button:
    | { readonly text: string; readonly href: string }
    | { readonly text: string; readonly phone: string };
  /** Whom to call, a sentence each. */
  readonly calls: readonly string[];
  readonly steps: readonly string[];
  /** The number to call in an emergency, as named by a step. */
  readonly emergency: string;
  readonly prepare: { readonly text: string; readonly policyNo: string } | undefined;
}

/** After damage: how to report a claim, whom to call, what to do first. */
export function ClaimSection({ words }: { readonly words: ClaimWords }) {
  const { id, header, button, calls, steps, emergency, prepare } = words;
  const isPage = "href" in button;
  return (
    <Section id={id} header={header}>
      <p className={isPage ? "printed-address" : undefined}>
        <PlainButtonLink href={isPage ? button.href : dialling(button.phone)} variant="secondary">
          {button.text}
        </PlainButtonLink>
      </p>
      {calls.map((call) => (
        <p key={call} className="mt-3 font-semibold">
          <PhoneLinks text={call} />
        </p>
      ))}
      <div className="mt-4">
        <HelplinePhones.Provider value={[emergency]}>
          <BulletList items={steps} />
        </HelplinePhones.Provider>
      </div>
      {prepare && (
        <p className="mt-4">
          {prepare.text} <strong className="inline-block max-w-full">{prepare.policyNo}</strong>
        </p>
      )}
    </Section>
  );
}
