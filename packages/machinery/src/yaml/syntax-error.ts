/** Text that is not one YAML document of JSON data, or YAML beyond a limit. `line` and `column` count from 1. */
export class YamlSyntaxError extends Error {
  /** The message without the position. */
  readonly problem: string;
  readonly line: number;
  readonly column: number;
  readonly kind: 'syntax' | 'limit';

  constructor(
    problem: string,
    position: { line: number; column: number },
    kind: 'syntax' | 'limit' = 'syntax',
  ) {
    super(`${problem} at line ${position.line}, column ${position.column}`);
    this.name = 'YamlSyntaxError';
    this.problem = problem;
    this.line = position.line;
    this.column = position.column;
    this.kind = kind;
  }
}
