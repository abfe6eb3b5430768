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

/** Signed out: the door is closed. */
export function ClosedDoorPicture() {
  return (
    <Picture>
      <path className="art-paper" d="M58 132V72a42 42 0 0 1 84 0v60z" />
      <path className="art-line" d="M58 132V72a42 42 0 0 1 84 0v60" />
      <path className="art-main" d="M68 132V72a32 32 0 0 1 64 0v60z" />
      <path className="art-line" d="M68 132V72a32 32 0 0 1 64 0v60M82 74a18 18 0 0 1 36 0zm0 12h36v34H82z" />
      <circle className="art-accent" cx="124" cy="98" r="5" />
      <path className="art-accent" d="M160 114h20l-4 18h-12z" />
      <path
        className="art-line"
        d="M160 114h20l-4 18h-12zm10 0V98m0 8c-8 0-11-5-11-11 7 0 11 4 11 11 0-9 4-14 11-14 0 8-4 14-11 14"
      />
    </Picture>
  );
}

/** Cookies: a biscuit with a bite taken out of it. */
export function BiscuitPicture() {
  return (
    <Picture>
      <path className="art-accent" d="M120 36a14 14 0 0 0 11 21 14 14 0 0 0 17 18 49 49 0 1 1-28-39z" />
      <path className="art-line" d="M120 36a14 14 0 0 0 11 21 14 14 0 0 0 17 18 49 49 0 1 1-28-39z" />
      <path className="art-line" strokeWidth="9" d="M80 66v.1m30 4v.1m-34 26v.1m26 10v.1m20-14v.1" />
      <circle className="art-main" cx="152" cy="46" r="6" />
      <circle className="art-main" cx="166" cy="62" r="4" />
    </Picture>
  );
}

/** Nothing here yet: an open folder with an empty sheet. */
export function EmptySheetPicture() {
  return (
    <Picture>
      <path className="art-main" d="M42 132V58a6 6 0 0 1 6-6h28l10 12h66a6 6 0 0 1 6 6v62z" />
      <path className="art-paper" d="M64 44h72v80H64z" />
      <path className="art-line" d="M64 96V44h72v52M78 60h30m-30 14h44" />
      <path className="art-soft" d="m30 88 12 44h116l12-44z" />
      <path className="art-line" d="m30 88 12 44h116l12-44z" />
      <circle className="art-accent" cx="100" cy="110" r="8" />
    </Picture>
  );
}

/** A name or a code of the customer's own: a name badge. */
export function BadgePicture() {
  return (
    <Picture>
      <path className="art-main" d="M90 12h20v34H90z" />
      <path className="art-line" d="M90 12v34h20V12" />
      <rect className="art-paper" x="46" y="50" width="108" height="76" rx="10" />
      <path className="art-main" d="M46 70V60a10 10 0 0 1 10-10h88a10 10 0 0 1 10 10v10z" />
      <rect className="art-line" x="46" y="50" width="108" height="76" rx="10" />
      <path className="art-line" d="M90 60h20m-4 30h32m-32 14h22" />
      <circle className="art-accent" cx="76" cy="88" r="9" />
      <path className="art-accent" d="M59 116a17 17 0 0 1 34 0z" />
      <path className="art-line" d="M67 88a9 9 0 0 1 18 0 9 9 0 0 1-18 0m-8 28a17 17 0 0 1 34 0z" />
    </Picture>
  );
}

/** A code is on its way: a telephone with a message. */
export function MessagePicture() {
  return (
    <Picture>
      <rect className="art-main" x="52" y="24" width="62" height="108" rx="12" />
      <path className="art-paper" d="M60 38h46v78H60z" />
      <rect className="art-line" x="52" y="24" width="62" height="108" rx="12" />
      <path className="art-line" d="M60 38h46v78H60zm17 86h12" />
      <path
        className="art-accent"
        d="M84 52h76a8 8 0 0 1 8 8v28a8 8 0 0 1-8 8h-58l-14 13V96h-4a8 8 0 0 1-8-8V60a8 8 0 0 1 8-8z"
      />
      <path
        className="art-line"
        d="M84 52h76a8 8 0 0 1 8 8v28a8 8 0 0 1-8 8h-58l-14 13V96h-4a8 8 0 0 1-8-8V60a8 8 0 0 1 8-8z"
      />
      <path className="art-line" strokeWidth="8" d="M92 74v.1m15 0v.1m15 0v.1m15 0v.1m15 0v.1" />
    </Picture>
  );
}

/** A new key: a padlock. */
export function PadlockPicture() {
  return (
    <Picture>
      <path className="art-line" strokeWidth="12" d="M76 72V56a24 24 0 0 1 48 0v16" />
      <rect className="art-main" x="58" y="70" width="84" height="62" rx="10" />
      <rect className="art-line" x="58" y="70" width="84" height="62" rx="10" />
      <circle className="art-accent" cx="100" cy="94" r="10" />
      <path className="art-accent" d="M95 96h10l4 22H91z" />
      <path className="art-line" d="M154 60l12-8m-8 22 14-1m-24-27 6-14" />
    </Picture>
  );
}

/** A policy: a sheet under an umbrella. */
export function PolicyPicture() {
  return (
    <Picture>
      <path className="art-paper" d="M62 66h76v66H62z" />
      <path className="art-line" d="M62 66h76v66H62zm14 22h34m-34 14h48m-48 14h26" />
      <path
        className="art-main"
        d="M36 66a64 46 0 0 1 128 0c-8-7-17-7-25 0-8-7-18-7-26 0-8-7-18-7-26 0-8-7-18-7-26 0-8-7-17-7-25 0z"
      />
      <path
        className="art-line"
        d="M36 66a64 46 0 0 1 128 0c-8-7-17-7-25 0-8-7-18-7-26 0-8-7-18-7-26 0-8-7-18-7-26 0-8-7-17-7-25 0zM100 20v-8"
      />
      <circle className="art-accent" cx="126" cy="116" r="12" />
      <path className="art-line" d="m120 116 4 5 8-9" />
    </Picture>
  );
}

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

/** Barred: a gate closed by a chain and a padlock. */
export function BarredGatePicture() {
  return (
    <Picture>
      <path className="art-paper" d="M38 132V66q62-44 124 0v66z" />
      <path className="art-line" d="M62 132V52m25 80V43m26 89V43m25 89V52M38 66q62-44 124 0M38 112h124" />
      <path className="art-main" d="M28 132V56h14v76zm130 0V56h14v76z" />
      <path className="art-line" d="M28 132V56h14v76zm130 0V56h14v76z" />
      <circle className="art-main" cx="35" cy="50" r="7" />
      <circle className="art-main" cx="165" cy="50" r="7" />
      <path className="art-line" strokeWidth="6" strokeDasharray="9 5" d="M44 76q28 22 56 10 28 12 56-10" />
      <path className="art-line" strokeWidth="5" d="M91 90v-8a9 9 0 0 1 18 0v8" />
      <path className="art-accent" d="M83 90h34v26H83z" />
      <path className="art-line" d="M83 90h34v26H83zm17 10v7" />
    </Picture>
  );
}

/** No such page: a signpost whose arms point both ways. */
export function SignpostPicture() {
  return (
    <Picture>
      <path className="art-paper" d="M94 22h12v110H94z" />
      <path className="art-line" d="M94 132V26a6 6 0 0 1 12 0v106" />
      <path className="art-accent" d="M58 36h82l16 14-16 14H58z" />
      <path className="art-line" d="M58 36h82l16 14-16 14H58z" />
      <path className="art-main" d="M142 72H60L44 86l16 14h82z" />
      <path className="art-line" d="M142 72H60L44 86l16 14h82z" />
      <path className="art-line" strokeWidth="4" d="M93 45a7 7 0 1 1 10 7q-3 2-3 4m0 3v.1" />
      <path className="art-soft" d="M30 132q6-18 16-4 6-12 14 4zm110 0q6-14 14-2 8-16 16 2z" />
      <path className="art-line" d="M30 132q6-18 16-4 6-12 14 4m80 0q6-14 14-2 8-16 16 2" />
    </Picture>
  );
}

/** A second tab: two windows, one in front of the other. */
export function TwoTabsPicture() {
  return (
    <Picture>
      <rect className="art-main" x="34" y="34" width="88" height="68" rx="8" />
      <path className="art-line" d="M34 52h88" />
      <rect className="art-line" x="34" y="34" width="88" height="68" rx="8" />
      <rect className="art-paper" x="74" y="58" width="92" height="74" rx="8" />
      <path className="art-accent" d="M74 76V66a8 8 0 0 1 8-8h76a8 8 0 0 1 8 8v10z" />
      <path className="art-line" d="M74 76h92M90 94h44M90 108h60" />
      <rect className="art-line" x="74" y="58" width="92" height="74" rx="8" />
    </Picture>
  );
}

/**
 * The brand's arch as one roof over a house, a person and a car. Its panel is dark, so both schemes share its colours.
 */
export function UnderOneRoofPicture() {
  return (
    <svg
      viewBox="0 -6 400 236"
      width="400"
      height="230"
      aria-hidden="true"
      className="h-auto w-36 mt-auto flex-none md:w-full md:pt-10"
    >
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
