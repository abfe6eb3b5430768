import { Picture } from "./frame";

/** Something broke: a brick has fallen out of the wall. */
export function LooseBrickPicture() {
  return (
    <Picture>
      <path
        className="art-main"
        d="M46 54h40v24H46zm44 0h40v24H90zM36 80h28v24H36zm76 0h28v24h-28zm-66 26h40v24H46zm44 0h40v24H90z"
      />
      <path className="art-line" strokeDasharray="5 7" d="M68 82h40v20H68z" />
      <path className="art-accent" d="m150 98 36 14-8 20-36-14z" />
      <path className="art-line" d="m150 98 36 14-8 20-36-14zM142 74l8 8m6-18v12" />
    </Picture>
  );
}
