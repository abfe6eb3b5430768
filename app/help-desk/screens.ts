import { findScreen } from "./find";
import type { StaffScreen } from "./screen";

/** Every screen for staff. */
export const SCREENS: readonly StaffScreen[] = [findScreen];
