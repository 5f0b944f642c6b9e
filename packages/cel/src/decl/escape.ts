/** Words that are not identifiers in expressions. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

const plain = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Reports whether a name can be written in expressions without escaping. */
export const isIdentifier = (name: string): boolean => plain.test(name) && !reservedWords.has(name);

/** The name of a property in expressions; undefined when it has characters without an escape. */
export function escapeName(name: string): string | undefined {
  if (reservedWords.has(name)) return `__${name}__`;
  if (plain.test(name) && !name.includes('__')) return name;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (found) => escapes[found] ?? found);
}
