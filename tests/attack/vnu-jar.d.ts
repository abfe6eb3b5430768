/** The path of the W3C checker's jar. */
declare module "vnu-jar" {
  const path: string;
  export default path;
}
