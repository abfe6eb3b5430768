import { actScreen } from "./act";
import { customerScreen } from "./customer";
import { findScreen } from "./find";
import type { StaffScreen } from "./screen";
import { waitingScreen } from "./waiting";

/** Every screen for staff. */
export const SCREENS: readonly StaffScreen[] = [findScreen, customerScreen, actScreen, waitingScreen];
