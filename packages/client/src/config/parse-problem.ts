/**
 * The reason why a value cannot be parsed: the message of the parser, which contains no password, without the name of
 * its field.
 */
export function parseProblem(name: string, parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return error instanceof TypeError ? error.message.replace(`${name}: `, '') : 'cannot be read';
  }
}
