import { Arch, LINE, Picture } from "./frame";

/** Signed out: the door under the arch is closed. */
export function ClosedDoorPicture() {
  return (
    <Picture>
      <Arch />
      <path {...LINE} className="fill-white stroke-teal-900" strokeWidth="2.5" d="M64 104V72h32v32z" />
      <path {...LINE} strokeWidth="4" d="M89 88v.01" />
      <circle cx="136" cy="95" r="9" className="fill-orange-400" />
    </Picture>
  );
}

/** Cookies: a biscuit under the arch. */
export function BiscuitPicture() {
  return (
    <Picture>
      <Arch />
      <circle cx="80" cy="86" r="18" className="fill-white stroke-teal-900" strokeWidth="2.5" />
      <path {...LINE} strokeWidth="5" d="M74 80v.01m11 2v.01m-8 10v.01" />
      <circle cx="132" cy="34" r="9" className="fill-orange-400" />
    </Picture>
  );
}

/** Nothing here yet: an empty sheet under the arch. */
export function EmptySheetPicture() {
  return (
    <Picture>
      <Arch />
      <path
        {...LINE}
        className="fill-white stroke-teal-900"
        strokeWidth="2.5"
        d="M66 104V70h20l8 8v26zm20-34v8h8"
      />
      <circle cx="132" cy="34" r="9" className="fill-orange-400" />
    </Picture>
  );
}

/** It worked: a check mark under the arch. */
export function CheckPicture() {
  return (
    <Picture>
      <Arch />
      <path {...LINE} strokeWidth="6" d="m62 86 13 13 25-28" />
      <circle cx="132" cy="34" r="9" className="fill-orange-400" />
    </Picture>
  );
}
