import type { StructuralSchema } from '../structural-schema.ts';

/** One step of a field path: to a declared field, or to a value of a map by its key. */
export interface FieldPathStep {
  readonly name: string;
  readonly isKey: boolean;
}

/** The field that a path leads to. */
export interface FoundField {
  readonly steps: readonly FieldPathStep[];
  /** Undefined for values of a map that may be anything. */
  readonly schema: StructuralSchema | undefined;
}

const tokens = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs;
const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/** The text between single quotes; undefined when it is not quoted or has unknown escapes. */
function unquoted(token: string): string | undefined {
  if (!/^'.*'$/s.test(token) || token.length < 2) return undefined;
  let isValid = true;
  const text = token.slice(1, -1).replace(/\\(.)/gs, (_all, letter: string) => {
    const char = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    isValid &&= char !== undefined;
    return char ?? '';
  });
  return isValid ? text : undefined;
}

/** The names in a path such as `.spec.labels['a.b']`, or its error. */
function namesIn(path: string, allowsBrackets: boolean): readonly string[] | string {
  const parts = path.match(tokens) ?? [];
  const names: string[] = [];
  let i = 0;
  while (i < parts.length) {
    const token = parts[i];
    if (token === '.') {
      const name = parts[i + 1];
      if (name === undefined) return 'unexpected end of JSON path';
      names.push(name);
      i += 2;
    } else if (token === '[') {
      if (!allowsBrackets) return 'array notation is not allowed';
      const quoted = parts[i + 1];
      if (quoted === undefined) return 'unexpected end of JSON path';
      const name = unquoted(quoted);
      if (name === undefined) return `expected single quoted string but got ${quoted}`;
      if (parts[i + 2] !== ']') return `expected ] but got ${parts[i + 2] ?? 'the end'}`;
      names.push(name);
      i += 3;
    } else return `expected [ or . but got: ${token}`;
  }
  return names;
}

function stepInto(
  schema: StructuralSchema | undefined,
  name: string,
): { readonly schema: StructuralSchema | undefined; readonly isKey: boolean } | undefined {
  if (schema?.properties !== undefined) {
    const property = schema.properties.get(name);
    return property === undefined ? undefined : { schema: property, isKey: false };
  }
  const others = schema?.additionalProperties;
  if (others === undefined || others === false) return undefined;
  return { schema: typeof others === 'object' ? others : undefined, isKey: true };
}

/**
 * The field that a path such as `.spec.replicas` or, where brackets are allowed, `.metadata['a.b']` leads to from a schema.
 * Returns the problem when the path is not valid or the schema does not declare the field.
 */
export function fieldAt(
  schema: StructuralSchema,
  path: string,
  { allowsBrackets }: { readonly allowsBrackets: boolean },
): FoundField | string {
  const names = namesIn(path, allowsBrackets);
  if (typeof names === 'string') return names;
  const steps: FieldPathStep[] = [];
  let at: StructuralSchema | undefined = schema;
  for (const name of names) {
    const next = stepInto(at, name);
    if (next === undefined) return 'does not refer to a valid field';
    steps.push({ name, isKey: next.isKey });
    at = next.schema;
  }
  return { steps, schema: at };
}
