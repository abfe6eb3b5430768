import { PhoneLinks } from "./phone";

/** A bulleted list of sentences. */
export function BulletList({ items }: { readonly items: readonly string[] }) {
  return (
    <ul className="list-disc space-y-1 pl-5">
      {items.map((item) => (
        <li key={item}>
          <PhoneLinks text={item} />
        </li>
      ))}
    </ul>
  );
}
