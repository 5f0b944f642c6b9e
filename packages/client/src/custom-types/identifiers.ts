/** Words that cannot be names of declarations in a module. */
const reserved =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield any bigint boolean never number object string symbol undefined unknown Array BigInt JSON Math Number Object Promise Readonly Record RegExp Set String Int64 ObjectMeta TypedResource'.split(
    ' ',
  );

/** Gives out identifiers, each once in a module. */
export class Identifiers {
  readonly #taken: Set<string>;

  /** `taken` are names of the module that do not depend on its definition. */
  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set([...reserved, ...taken]);
  }

  /** The identifier, with a number where another declaration has it. */
  take(wanted: string): string {
    let name = wanted;
    for (let i = 2; this.#taken.has(name); i++) name = `${wanted}${i}`;
    this.#taken.add(name);
    return name;
  }
}

/** `my-field.name` → `MyFieldName`. Characters that no identifier has separate words. */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** `MyKind` → `myKind`, `HTTPRoute` → `httpRoute`, `web-sites` → `webSites`. */
export function camelCase(text: string): string {
  const pascal = pascalCase(text);
  const head = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/.exec(pascal)?.[0] ?? '';
  const name = head.toLowerCase() + pascal.slice(head.length);
  return /^\d/.test(name) ? `_${name}` : name;
}
