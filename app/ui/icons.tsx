import { drawing } from "./drawing";

/** Decorative line icons: there is always text beside them. */
const LINE_ICON = {
  width: "24",
  height: "24",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: "2",
  strokeLinecap: "round",
  strokeLinejoin: "round",
  "aria-hidden": "true",
} as const;

/** An error. */
export const CrossCircle = drawing("icons/cross-circle", LINE_ICON);
/** Something went well. */
export const CheckCircle = drawing("icons/check-circle", LINE_ICON);
/** Good to know. */
export const InfoCircle = drawing("icons/info-circle", LINE_ICON);
/** An explanation is available. */
export const QuestionCircle = drawing("icons/question-circle", LINE_ICON);
/** Take care. */
export const Triangle = drawing("icons/triangle", LINE_ICON);
/** Cannot be changed. */
export const Lock = drawing("icons/lock", LINE_ICON);
/** Sign out. */
export const SignOut = drawing("icons/sign-out", LINE_ICON);
/** Not met yet. */
export const Ring = drawing("icons/ring", LINE_ICON);

/** The lines of each icon, on a field of 24 by 24. */
const LINES = {
  /** A house with a door. */
  home: "M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5M10 20v-5.5h4V20",
  /** A car from the front. */
  car: "M4 17.5v-5L6 7a2 2 0 0 1 1.9-1.5h8.2A2 2 0 0 1 18 7l2 5.5v5zM4 12.5h16M6 17.5V20m12-2.5V20M7.5 15v.01m9-.01v.01",
  /** A suitcase on wheels, with its handle drawn out. */
  travel: "M9 8V3.5h6V8M6 8h12v11.5H6zM10 11.5V16m4-4.5V16m-5.5 3.5V21m7-1.5V21",
  /** A heart. */
  life: "m12 20-7.4-7.6a4.7 4.7 0 0 1 6.7-6.6l.7.7.7-.7a4.7 4.7 0 0 1 6.7 6.6z",
  /** A cross. */
  health: "M9.5 4h5v5.5H20v5h-5.5V20h-5v-5.5H4v-5h5.5z",
  /** A briefcase. */
  business: "M3.5 8h17v11.5h-17zM9 8V4.5h6V8M3.5 13h17M12 12v2.5",
  /** An umbrella. */
  other: "M12 3v1.5M3 13a9 8.5 0 0 1 18 0zm9 0v5.5a2.3 2.3 0 0 0 4.6 0",
} as const;

/** The products that have an icon of their own, and `other`. */
export type IconProduct = keyof typeof LINES;

/** A policy's product as a line icon on a tinted circle. Decorative: the policy's name is beside it. */
export function ProductIcon({ product }: { readonly product: IconProduct }) {
  return (
    // The border is for forced colours, which drop the tint. Hidden on a small phone with large text, to save room.
    <span className="flex h-12 w-12 flex-none items-center justify-center rounded-full border border-transparent bg-tint text-link tight:hidden">
      <svg viewBox="0 0 24 24" {...LINE_ICON} width="28" height="28">
        <path d={LINES[product]} />
      </svg>
    </span>
  );
}

/** A ring over the dimmed page, with a text below it. Scripts show it while a request is under way. */
export function Spinner() {
  return (
    <div data-spinner>
      <div className="spinner-card">
        <div className="spinner-ring" />
        <p role="status" className="spinner-text" />
      </div>
    </div>
  );
}
