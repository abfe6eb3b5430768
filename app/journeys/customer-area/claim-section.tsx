import type { ReactNode } from "react";
import { BulletList } from "~/ui/bullet-list";
import { PlainButtonLink } from "~/ui/button";
import { dialling, PhoneLinks } from "~/ui/phone";
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

/** The button that reports a claim. */
export function ClaimButton({ button }: Pick<ClaimWords, "button">) {
  const isPage = "href" in button;
  return (
    <p className={isPage ? "printed-address" : undefined}>
      <PlainButtonLink href={isPage ? button.href : dialling(button.phone)} variant="secondary">
        {button.text}
      </PlainButtonLink>
    </p>
  );
}

/**
 * After damage: whom to call, what to do first.
 * @param children the button, unless it stands elsewhere on the page
 */
export function ClaimSection({
  words,
  children,
}: {
  readonly words: ClaimWords;
  readonly children?: ReactNode;
}) {
  const { id, header, calls, steps, emergency, prepare } = words;
  return (
    <Section id={id} header={header}>
      {children}
      {calls.map((call) => (
        <p key={call} className="mt-3 font-semibold first:mt-0">
          <PhoneLinks text={call} />
        </p>
      ))}
      <div className="mt-4">
        <BulletList items={steps} phones={[emergency]} />
      </div>
      {prepare && (
        <p className="mt-4">
          {prepare.text} <strong className="inline-block max-w-full">{prepare.policyNo}</strong>
        </p>
      )}
    </Section>
  );
}
