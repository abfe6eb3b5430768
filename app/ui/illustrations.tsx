import { drawing } from "./drawing";

/** Decorative: an arch behind the scene, and the ground it stands on. */
const PICTURE = {
  width: "200",
  height: "150",
  "aria-hidden": "true",
  strokeWidth: "3",
  className: "picture",
} as const;

/** Signed out: the door is closed. */
export const ClosedDoorPicture = drawing("pictures/closed-door", PICTURE);
/** Cookies: a biscuit with a bite taken out of it. */
export const BiscuitPicture = drawing("pictures/biscuit", PICTURE);
/** Nothing here yet: an open folder with an empty sheet. */
export const EmptySheetPicture = drawing("pictures/empty-sheet", PICTURE);
/** A name or a code of the customer's own: a name badge. */
export const BadgePicture = drawing("pictures/badge", PICTURE);
/** A code is on its way: a telephone with a message. */
export const MessagePicture = drawing("pictures/message", PICTURE);
/** A new key: a padlock. */
export const PadlockPicture = drawing("pictures/padlock", PICTURE);
/** A policy: a sheet under an umbrella. */
export const PolicyPicture = drawing("pictures/policy", PICTURE);
/** Something broke: a brick has fallen out of the wall. */
export const LooseBrickPicture = drawing("pictures/loose-brick", PICTURE);
/** Barred: a gate closed by a chain and a padlock. */
export const BarredGatePicture = drawing("pictures/barred-gate", PICTURE);
/** No such page: a signpost whose arms point both ways. */
export const SignpostPicture = drawing("pictures/signpost", PICTURE);
/** A second tab: two windows, one in front of the other. */
export const TwoTabsPicture = drawing("pictures/two-tabs", PICTURE);

/**
 * The brand's arch as one roof over a house, a person and a car. Its panel is dark, so both schemes share its colours.
 */
export const UnderOneRoofPicture = drawing("pictures/under-one-roof", {
  width: "400",
  height: "230",
  "aria-hidden": "true",
  className: "h-auto w-36 mt-auto flex-none md:w-full md:pt-10",
});
