import type { ReactNode } from "react";

/** The frame of all pictures: an arch behind the scene, and the ground it stands on. Decorative. */
export function Picture({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 200 150"
      width="200"
      height="150"
      aria-hidden="true"
      strokeWidth="3"
      className="picture"
    >
      <path className="art-soft" d="M22 132a78 78 0 0 1 156 0z" />
      {children}
      <path className="art-line" d="M8 132h184" />
    </svg>
  );
}
