/** A declaration at the top level of a source, or of the file of declarations that the compiler writes for it. */
export interface Declared {
  readonly name: string;
  /** The text of its documentation comment; empty without one. */
  readonly doc: string;
  /** The declaration without its comment. */
  readonly text: string;
}

/** A name that a file exports from another one. `*` stands for all names. */
export interface Reexported {
  readonly name: string;
  /** The name in the other file. */
  readonly source: string;
  readonly from: string;
}

/** The declarations and exports of one file. */
export interface DeclarationFile {
  readonly declared: ReadonlyMap<string, readonly Declared[]>;
  readonly reexported: readonly Reexported[];
}

const begins = /^(?:export|declare|import|interface|type|const|let|async|function|abstract|class)\b/;
const start =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) ([\w$]+)/;
const reexport = /^export (?:type )?(?:\{([^}]*)\}|\*(?: as (\w+))?) from ['"]([^'"]+)['"];/gm;

/** Reads the declarations of a file. Each begins at the start of a line. */
export function readDeclarationFile(text: string): DeclarationFile {
  const declared = new Map<string, Declared[]>();
  let [doc, lines]: [string, string[]] = ['', []];
  const end = (): void => {
    const name = start.exec(lines[0] ?? '')?.[1];
    if (name !== undefined) {
      const one = { name, doc, text: lines.join('\n').trimEnd() };
      declared.set(name, [...(declared.get(name) ?? []), one]);
      doc = '';
    }
    lines = [];
  };
  let isComment = false;
  const comment: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('/**')) {
      end();
      isComment = true;
      comment.length = 0;
    } else if (!isComment && begins.test(line)) end();
    if (!isComment) lines.push(line);
    else {
      comment.push(line);
      if (line.includes('*/')) [doc, isComment] = [docText(comment.join('\n')), false];
    }
  }
  end();
  return { declared, reexported: [...text.matchAll(reexport)].flatMap(reexportsOf) };
}

function reexportsOf([, names, as, from = '']: RegExpMatchArray): readonly Reexported[] {
  if (names === undefined) return [{ name: as ?? '*', source: '*', from }];
  return names
    .split(',')
    .map((one) => one.trim().replace(/^type /, ''))
    .filter((one) => one !== '')
    .map((one) => {
      const [source = '', name = source] = one.split(' as ');
      return { name, source, from };
    });
}

/** The text of a comment without its marks. */
export const docText = (comment: string): string =>
  comment
    .replace(/^\s*\/\*\*\s?/, '')
    .replace(/\s*\*\/\s*$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
