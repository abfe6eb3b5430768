import { Arch, LINE, Picture } from "./frame";

/** One too many: two overlapping tabs under one arch. */
export function TwoTabsPicture() {
  return (
    <Picture>
      <Arch />
      <path
        {...LINE}
        className="fill-teal-100 stroke-teal-900"
        strokeWidth="2.5"
        d="M50 92V66h42v26zm0-18h42"
      />
      <path
        {...LINE}
        className="fill-white stroke-teal-900"
        strokeWidth="2.5"
        d="M66 104V78h42v26zm0-18h42"
      />
      <circle cx="132" cy="34" r="9" className="fill-orange-400" />
    </Picture>
  );
}
