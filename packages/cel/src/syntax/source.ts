/** Most code points of an expression. */
const MAX_CODE_POINTS = 100_000;

export interface Issue {
  /** Offset in the source, in UTF-16 units. */
  readonly at: number;
  readonly message: string;
}

/** The location of an issue: lines and columns count from 1, columns in code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Issues that a message shows. */
const MAX_SHOWN_ISSUES = 100;
/** Size of a message after which no further issue is shown: each one repeats its line of the source. */
const MAX_MESSAGE_LENGTH = 16 * 1024;

/**
 * An expression that does not parse or does not check. The message shows the first places in the source, and the number of
 * the others.
 */
export class CelSyntaxError extends Error {
  override readonly name = 'CelSyntaxError';
  /** The issues that the message shows. */
  readonly issues: readonly Issue[];
  readonly positions: readonly Position[];
  constructor(source: string, issues: readonly Issue[]) {
    const sorted = [...issues].sort((a, b) => a.at - b.at);
    const shown = showFirst(source, sorted);
    const more = sorted.length - shown.length;
    super([...shown, ...(more === 0 ? [] : [`${more} more errors were truncated`])].join('\n'));
    this.issues = sorted.slice(0, shown.length);
    this.positions = this.issues.map(({ at }) => positionOf(source, at));
  }
}

function showFirst(source: string, issues: readonly Issue[]): readonly string[] {
  const shown: string[] = [];
  let length = 0;
  for (const issue of issues) {
    if (shown.length === MAX_SHOWN_ISSUES || length > MAX_MESSAGE_LENGTH) break;
    const text = showIssue(source, issue);
    shown.push(text);
    length += text.length;
  }
  return shown;
}

function positionOf(source: string, at: number): Position {
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

/** The problem of the source as a string; undefined when it can be parsed. */
export function sourceIssue(source: string): Issue | undefined {
  if (source.length <= MAX_CODE_POINTS) return undefined;
  const size = [...source].length;
  if (size <= MAX_CODE_POINTS) return undefined;
  return {
    at: 0,
    message: `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`,
  };
}
