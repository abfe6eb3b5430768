import type { PageFigure } from "./page-pairs";

/** Another sign-in page, as it was measured once. */
export interface FieldFigure extends PageFigure {
  readonly name: string;
}

/** When and where the field was measured. */
export const FIELD_MEASURED = "2026-11-22, two quiet cores";

/** The sign-in pages of the field beside ours of that day, all in one run: one process, ten connections, unpacked. */
export const FIELD: readonly FieldFigure[] = [
  { name: "Bare Remix", perSecond: 641, cpuMs: 1.9 },
  { name: "Ory self-service UI", perSecond: 425, cpuMs: 2.8 },
  { name: "GOV.UK One Login", perSecond: 261, cpuMs: 5.1 },
  { name: "Epic Stack", perSecond: 168, cpuMs: 7.4 },
  { name: "Ours before", perSecond: 165, cpuMs: 7.1 },
];
