/**
 * The environment for another program that we start: `PATH`, and these variables. It gets none of the portal's secrets.
 */
export function toolEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { NODE_ENV, PATH } = process.env;
  return { NODE_ENV, ...(PATH !== undefined && { PATH }), ...variables };
}
