/** The text of a style sheet, which the build puts into the module. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
