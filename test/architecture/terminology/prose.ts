/** A piece of prose in a file: a comment, a message or the text of a page. */
export interface Prose {
  readonly line: number;
  readonly text: string;
}

/** Comments, strings and regular expressions of a program; the latter only so that their quotes begin no string. */
const TOKENS = new RegExp(
  [
    String.raw`(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)`,
    String.raw`(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|${'`'}(?:[^${'`'}\\]|\\[\s\S])*${'`'})`,
    String.raw`(?<=(?:^|[(,=:[!&|?{};\n]|return)\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*`,
  ].join('|'),
  'g',
);

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

const withoutMarkers = (comment: string): string =>
  comment.replace(/^\s*(?:\/\*+|\*\/|\*|\/\/)/gm, ' ').replace(/\s+/g, ' ');

/** Comments, and strings of three words or more: shorter ones are values. */
function proseOfProgram(text: string): readonly Prose[] {
  return [...text.matchAll(TOKENS)].flatMap((match) => {
    const { comment, string } = match.groups ?? {};
    const line = lineAt(text, match.index);
    if (comment !== undefined) return { line, text: withoutMarkers(comment) };
    const isProse = string !== undefined && /\S +\S+ +\S/.test(string);
    return isProse ? { line, text: string } : [];
  });
}

/** The text of a page, paragraph by paragraph, without what is marked as code. */
function proseOfPage(text: string): readonly Prose[] {
  const blank = (code: string): string => code.replace(/[^\n]/g, ' ');
  const plain = text.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]*`/g, blank);
  return [...plain.matchAll(/(?:.+\n?)+/g)].map((match) => ({
    line: lineAt(plain, match.index),
    text: match[0].replace(/\s+/g, ' '),
  }));
}

/** The prose of a file: all of it, unless it is a page or a program. */
export function proseOf(path: string, text: string): readonly Prose[] {
  if (/\.(?:ts|mts|mjs|js|go)$/.test(path)) return proseOfProgram(text);
  if (path.endsWith('.md')) return proseOfPage(text);
  return text.split('\n').map((line, index) => ({ line: index + 1, text: line }));
}
