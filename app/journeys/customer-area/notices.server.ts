import type { Notice } from "~/visit/notice.server";

export const DEVICE_REMOVED: Notice = { kind: "success", texts: ["cp:result.device"] };
