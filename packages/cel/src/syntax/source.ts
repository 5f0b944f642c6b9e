/** Most code points of an expression. */
const MAX_CODE_POINTS = 100_000;

export interface Issue {
  /** Offset in the source, in UTF-16 units. */
  readonly at: number;
  readonly message: string;
}

/** Where an issue is: lines and columns count from 1, columns in code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** An expression that does not parse or does not check. The message shows each place in the source. */
export class CelSyntaxError extends Error {
  override readonly name = 'CelSyntaxError';
  readonly issues: readonly Issue[];
  readonly positions: readonly Position[];
  constructor(source: string, issues: readonly Issue[]) {
    const sorted = [...issues].sort((a, b) => a.at - b.at);
    super(sorted.map((issue) => showIssue(source, issue)).join('\n'));
    this.issues = sorted;
    this.positions = sorted.map(({ at }) => positionOf(source, at));
  }
}

export function positionOf(source: string, at: number): Position {
  const before = source.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 };
}

/** The message with the line it is about and a mark below the place. Wide characters get wide marks. */
function showIssue(source: string, { at, message }: Issue): string {
  const { line, column } = positionOf(source, at);
  const start = source.slice(0, at).lastIndexOf('\n') + 1;
  const text = [...(source.slice(start).split('\n', 1)[0] ?? '')];
  const marks = text.slice(0, column - 1).map((each) => (isWide(each) ? '．' : '.'));
  const here = text[column - 1];
  const mark = here !== undefined && isWide(here) ? '＾' : '^';
  const sourceLine = text.join('').replaceAll('\t', ' ');
  return `ERROR: <input>:${line}:${column}: ${message}\n | ${sourceLine}\n | ${marks.join('')}${mark}`;
}

const isWide = (character: string): boolean => (character.codePointAt(0) ?? 0) > 0xff;

/** What is wrong with the source as a text; undefined when it can be parsed. */
export function sourceIssue(source: string): Issue | undefined {
  if (source.length <= MAX_CODE_POINTS) return undefined;
  const size = [...source].length;
  if (size <= MAX_CODE_POINTS) return undefined;
  return {
    at: 0,
    message: `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`,
  };
}
