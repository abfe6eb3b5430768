import { VARIABLE_GROUPS } from "~/platform/config/environment.server";
import { SETTABLE_LIMITS } from "~/platform/config/limits";

const SCHEMAS = new Map(Object.values(VARIABLE_GROUPS).flatMap((group) => Object.entries(group)));
const LIMIT_VARIABLES = new Set(SETTABLE_LIMITS.map((name) => `LIMIT_${name}`));

/** Whether the portal has a variable of this name. */
export const isVariable = (name: string): boolean => SCHEMAS.has(name) || LIMIT_VARIABLES.has(name);

/** Whether the variable may also be read from a file. */
export const isSecret = (name: string): boolean => SCHEMAS.get(name)?.meta()?.["secret"] === true;
