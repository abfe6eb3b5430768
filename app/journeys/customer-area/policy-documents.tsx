import { Alert } from "~/ui/alert";
import { Lock } from "~/ui/icons";
import { Section } from "~/ui/page-layout";
import { PlainLink, TextLink } from "~/ui/text-link";

/** A document of a policy, formatted for display. */
interface ShownDocument {
  readonly id: string;
  readonly href: string;
  /** Comes from the insurer and is always in Polish. */
  readonly name: string;
  /** Its kind, its day of issue and its size. */
  readonly about: string;
  readonly isProtected: boolean;
}

interface DocumentWords {
  readonly header: string;
  readonly isProtected: string;
  readonly download: string;
}

/** The documents of a policy. They are plain links, because the router can't show a PDF. */
export function PolicyDocuments({
  documents,
  aboutPassword,
  missing,
  words,
}: {
  readonly documents: readonly ShownDocument[];
  /** Names the password that opens protected documents, if there are any. */
  readonly aboutPassword: string | undefined;
  /** If protected documents can't be downloaded yet: why, and where to create a password. */
  readonly missing:
    | { readonly word: string; readonly text: string; readonly href: string; readonly link: string }
    | undefined;
  readonly words: DocumentWords;
}) {
  return (
    <Section header={words.header}>
      {missing && (
        <div className="mb-3">
          <Alert kind="info">
            <p>{missing.text}</p>
            <p className="-mb-2">
              <TextLink to={missing.href}>{missing.link}</TextLink>
            </p>
          </Alert>
        </div>
      )}
      <ul className="-mt-1 divide-y divide-line">
        {documents.map((document) => (
          <DocumentRow key={document.id} document={document} words={words} />
        ))}
      </ul>
      {aboutPassword !== undefined && (
        <p data-screen-only className="mt-2 max-w-line text-sm text-muted">
          {aboutPassword}
        </p>
      )}
    </Section>
  );
}

function DocumentRow({
  document,
  words,
}: {
  readonly document: ShownDocument;
  readonly words: DocumentWords;
}) {
  const { href, name, about, isProtected } = document;
  return (
    <li className="py-4 sm:flex sm:items-center">
      <div className="min-w-0 sm:flex-1 sm:pr-6">
        <p lang="pl" className="break-words font-semibold">
          {name}
        </p>
        <p className="text-sm text-muted">{about}</p>
        {isProtected && (
          <p data-screen-only className="mt-1 flex text-sm">
            <Lock className="mr-1 h-5 w-5 flex-none text-muted" />
            {words.isProtected}
          </p>
        )}
      </div>
      <p data-screen-only className="flex-none">
        <PlainLink href={href}>
          {words.download}{" "}
          <span lang="pl" className="sr-only">
            {name}
          </span>
        </PlainLink>
      </p>
    </li>
  );
}
