import { Arch, Picture } from "./frame";

/** Something broke: a brick has fallen out of the arch. */
export function LooseBrickPicture() {
  return (
    <Picture>
      <Arch gap />
      <path className="fill-teal-600" d="m98 88 20 6-3 10-20-6z" />
      <circle cx="70" cy="95" r="9" className="fill-orange-400" />
    </Picture>
  );
}
