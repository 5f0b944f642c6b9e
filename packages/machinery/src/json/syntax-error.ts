/** Text that is not JSON, or JSON beyond a limit. `offset` counts bytes from the start of the input. */
export class JsonSyntaxError extends Error {
  readonly offset: number;
  /** `limit`: well formed as far as it was parsed, but nested too deeply. */
  readonly kind: 'syntax' | 'encoding' | 'limit';

  /** The error at a position of the decoded text, counted in UTF-16 units there. */
  static at(text: string, position: number, problem: string, kind?: 'syntax' | 'limit'): JsonSyntaxError {
    return new JsonSyntaxError(problem, new TextEncoder().encode(text.slice(0, position)).length, kind);
  }

  constructor(problem: string, offset: number, kind: 'syntax' | 'encoding' | 'limit' = 'syntax') {
    super(`${problem} at offset ${offset}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
    this.kind = kind;
  }
}
