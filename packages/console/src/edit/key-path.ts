/** A place in YAML in block style, which may be incomplete. */
export interface KeyPlace {
  /** The names of the fields around it, from the outermost one. Lists have no part in it. */
  readonly path: readonly string[];
  /** The field on its line; empty without one. */
  readonly key: string;
  /** Whether it is behind the colon of the field. */
  readonly isValue: boolean;
}

/** Dashes of lists count as indentation. */
const lineForm = /^(\s*(?:- +|-$)*)(?:(["']?)([^\s"'#:][^"'#:]*)\2\s*:(?=\s|$))?(.*)$/;
/** Text in several lines, which contains no fields. */
const blockText = /^\s*[|>][+-]?\d*\s*(?:#.*)?$/;

/** The place of a position; undefined within text that is a value. */
export function keyPlaceAt(text: string, position: number): KeyPlace | undefined {
  const lines = text.slice(0, position).split('\n');
  const before = lines.pop() ?? '';
  const [rest = ''] = text.slice(position).split('\n', 1);
  const [, indent = '', , key = ''] = lineForm.exec(before + rest) ?? [];
  const colon = key === '' ? -1 : (before + rest).indexOf(':', indent.length + key.length);
  const path: string[] = [];
  let column = Math.min(indent.length, before.length);
  for (const line of lines.reverse()) {
    const found = lineForm.exec(line);
    if (found === null || found[3] === undefined) continue;
    const [, { length: start } = '', , name = '', value = ''] = found;
    if (start >= column) continue;
    if (blockText.test(value)) return undefined;
    path.unshift(name);
    // Items of a list may stand below its field without indentation.
    column = start;
    if (column === 0) break;
  }
  return { path, key, isValue: colon >= 0 && before.length > colon };
}
