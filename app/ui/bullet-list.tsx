import { PhoneLinks, type PhoneLinksProps } from "./phone";

interface BulletListProps extends Pick<PhoneLinksProps, "phones"> {
  readonly items: readonly string[];
}

/** A bulleted list of sentences. */
export function BulletList({ items, ...phones }: BulletListProps) {
  return (
    <ul className="list-disc space-y-1 pl-5">
      {items.map((item) => (
        <li key={item}>
          <PhoneLinks text={item} {...phones} />
        </li>
      ))}
    </ul>
  );
}
