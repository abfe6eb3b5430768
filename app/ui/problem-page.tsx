import { Card } from "./card";
import { LooseBrickPicture } from "./illustrations/loose-brick";
import { PageHeading } from "./page-heading";

/** A page that says what went wrong, with a reference number for the helpline. Plain links: it must work without scripts. */
export function ProblemPage({
  header,
  text,
  reference,
  home,
}: {
  readonly header: string;
  readonly text: string;
  readonly reference: string;
  readonly home: string;
}) {
  return (
    <Card>
      <LooseBrickPicture />
      <div className="mt-4">
        <PageHeading header={header}>{text}</PageHeading>
      </div>
      <p className="mt-4 text-sm text-neutral-600">{reference}</p>
      <p className="mt-6">
        <a
          href="/home"
          className="inline-flex min-h-button-md w-full items-center justify-center rounded-control bg-teal-600 px-5 py-2 font-semibold text-white hover:bg-teal-700 sm:w-auto"
        >
          {home}
        </a>
      </p>
    </Card>
  );
}
