import type { ScreenState } from "./screen-state.server";
import { SIGNED_IN } from "./states/signed-in.server";
import { SIGNED_OUT } from "./states/signed-out.server";

/** Every screen in every state that it can be in. */
export const SCREEN_STATES: readonly ScreenState[] = [...SIGNED_OUT, ...SIGNED_IN];
