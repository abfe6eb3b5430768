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

/** Something can be explained. */
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

/** Not decided yet. */
export function Ring(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="9" />
    </Icon>
  );
}
