import type { Issue } from './source.ts';

/** Thrown by the lexer and the parser at the first token that cannot be parsed. */
export class SyntaxIssue {
  readonly issue: Issue;
  constructor(at: number, message: string) {
    this.issue = { at, message };
  }
}
