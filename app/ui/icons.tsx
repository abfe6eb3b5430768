import type { ReactNode } from "react";

/** Decorative line icons: there is always text beside them. */
interface IconProps {
  readonly className?: string;
}

function Icon({ className, children }: IconProps & { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {children}
    </svg>
  );
}

/** An error. */
export function CrossCircle(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="9" />
      <path d="m9 9 6 6m0-6-6 6" />
    </Icon>
  );
}

/** Something went well. */
export function CheckCircle(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="9" />
      <path d="m8 12.5 2.7 2.7L16 9.5" />
    </Icon>
  );
}

/** Good to know. */
export function InfoCircle(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 11v5m0-8.5v.01" />
    </Icon>
  );
}

/** An explanation is available. */
export function QuestionCircle(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="9" />
      <path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8m0 3v.01" />
    </Icon>
  );
}

/** Take care. */
export function Triangle(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 4 2.8 20h18.4zM12 10v4m0 3v.01" />
    </Icon>
  );
}

/** Cannot be changed. */
export function Lock(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="5" y="11" width="14" height="9" rx="2" />
      <path d="M8 11V8a4 4 0 0 1 8 0v3" />
    </Icon>
  );
}

/** The way out. */
export function SignOut(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M10 4H5v16h5M15 8l4 4-4 4m4-4H9" />
    </Icon>
  );
}

/** Not met yet. */
export function Ring(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="9" />
    </Icon>
  );
}

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
      <svg
        viewBox="0 0 24 24"
        width="28"
        height="28"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
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
