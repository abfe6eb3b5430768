/** The build that a development server serves, under the name that Remix gives it. */
declare module "virtual:remix/server-build" {
  const build: unknown;
  export default build;
}
