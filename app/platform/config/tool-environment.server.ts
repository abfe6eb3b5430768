/** The variables of another program that is started: where programs are, and these. It gets no secret of the portal's. */
export function toolEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { NODE_ENV, PATH } = process.env;
  return { NODE_ENV, ...(PATH !== undefined && { PATH }), ...variables };
}
