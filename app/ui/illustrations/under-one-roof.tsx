/**
 * The brand's arch as one roof over a house, a person and a car. Its panel is dark, so both schemes share its tones.
 */
export function UnderOneRoofPicture() {
  return (
    <svg viewBox="0 -6 400 236" width="400" height="230" aria-hidden="true" className="mt-10 h-auto w-full">
      <path className="fill-band-shape" d="M0 230a200 200 0 0 1 400 0z" />
      <path fill="none" className="stroke-art-main" strokeWidth="18" d="M41 230a159 159 0 0 1 318 0" />
      <path className="fill-white" d="M92 152h72v78H92z" />
      <path className="fill-accent" d="m128 106 50 50H78z" />
      <path className="fill-art-main" d="M118 190h20v40h-20zm-16-24h16v16h-16zm36 0h16v16h-16z" />
      <circle className="fill-accent" cx="200" cy="162" r="13" />
      <path className="fill-band-muted" d="M181 230v-32a19 19 0 0 1 38 0v32z" />
      <path
        className="fill-art-main"
        d="M236 218v-20q0-8 8-8h8l12-20q4-6 12-6h22q8 0 12 7l10 19h8q8 0 8 8v20z"
      />
      <path className="fill-white" d="m264 190 10-16q2-2 5-2h6v18zm28 0v-18h6q4 0 6 3l8 15z" />
      <circle className="fill-white" cx="258" cy="216" r="14" />
      <circle className="fill-white" cx="314" cy="216" r="14" />
      <circle className="fill-band" cx="258" cy="216" r="6" />
      <circle className="fill-band" cx="314" cy="216" r="6" />
    </svg>
  );
}
