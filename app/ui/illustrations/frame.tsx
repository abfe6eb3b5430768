import type { ReactNode } from "react";

/** The frame of all illustrations: an arch (shelter), an orange dot (a person), and a scene under the arch. Decorative. */
export function Picture({ children }: { readonly children: ReactNode }) {
  return (
    <svg viewBox="0 0 160 120" width="160" height="120" aria-hidden="true" focusable="false">
      <path className="fill-teal-100" d="M10 104a70 70 0 0 1 140 0z" />
      {children}
    </svg>
  );
}

/** The arch itself, whole or with a gap. */
export function Arch({ gap = false }: { readonly gap?: boolean }) {
  return (
    <path
      fill="none"
      className="stroke-teal-600"
      strokeWidth="10"
      strokeDasharray={gap ? "64 22 200" : undefined}
      d="M30 104a50 50 0 0 1 100 0"
    />
  );
}

/** The stroke of the scene under the arch. */
export const LINE = {
  className: "fill-none stroke-teal-900",
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;
