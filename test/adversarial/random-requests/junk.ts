import fc from 'fast-check';

/** Text that JSON.stringify would not write unchanged: a number that no double holds. */
const raw = (token: string): string => `@raw:${token}@`;

/** JSON with the intended numbers of `raw`. */
export const withRawNumbers = (json: string): string => json.replaceAll(/"@raw:([^"@]*)@"/g, '$1');

const nested = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Strings that are invalid nearly everywhere: not names, not numbers, not dates, not selectors, not quantities. */
export const badTexts: readonly string[] = [
  '',
  ' ',
  'abc',
  'A_b/c',
  'a.b',
  '..',
  '-1',
  '1.5',
  '1e999',
  '0x10',
  'NaN',
  'null',
  'true',
  '9223372036854775808',
  '2026-13-45T99:99:99Z',
  '0001-01-01T00:00:00Z',
  '-9Gi',
  '1h5x',
  'a=b,,c',
  'a in (b',
  '!',
  'metadata.name=',
  '__proto__',
  'constructor',
  '{}',
  '[]',
  'All',
  '\u0000',
  '\ud83d\ude00',
  '%',
  'x'.repeat(300),
  '10.0.0.0/99',
  '300.1.1.1',
  '(',
  '*',
];

/** Values of every type and of extreme sizes, none of which is valid in an API object. */
export const junk: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  -(2 ** 63),
  raw('1e400'),
  raw('-1e-400'),
  raw('123456789012345678901234567890'),
  raw('1.0'),
  [],
  {},
  [null],
  [[]],
  [{}],
  [1, 'a', null, {}],
  { '': '' },
  { a: null },
  { __x: [] },
  { 'f:a': {} },
  nested(4),
  nested(40),
  ...badTexts,
);

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The path of a value within an object: field names and indexes. */
export type Path = readonly string[];

/** Every path within a value, parents first. */
export function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (!isContainer(value)) return [at];
  return [...Object.entries(value).flatMap(([name, field]) => pathsOf(field, [...at, name])), at];
}

/** A copy with another value at a path; without it when that is undefined. */
export function replaced(value: unknown, [name, ...rest]: Path, next: unknown): unknown {
  if (name === undefined) return next;
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<string, unknown>)
    : { ...(isContainer(value) ? value : {}) };
  const field = replaced(copy[name], rest, next);
  if (field === undefined) delete copy[name];
  // `__proto__` is a name like any other here.
  else
    Object.defineProperty(copy, name, {
      value: field,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return copy;
}

const extremes: readonly unknown[] = [
  0,
  1,
  -1,
  65536,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  raw('9223372036854775807'),
];

/** Other values of the same type: they pass decoding, and reach the code that interprets them. */
function ofSameType(value: unknown): fc.Arbitrary<unknown> {
  switch (typeof value) {
    case 'string':
      return fc.constantFrom(...badTexts);
    case 'number':
      return fc.constantFrom(...extremes);
    case 'boolean':
      return fc.constant(!value);
    default:
      if (Array.isArray(value))
        return fc.constantFrom([], value.slice(1), [...value, ...value], value.toReversed());
      return fc.constantFrom({}, undefined);
  }
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, name) => (isContainer(at) ? at[name] : undefined), value);

/** Members of metadata that clients may not set, or only to some values. */
const metadata = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'managedFields',
] as const;

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} };

/** Nearly valid metadata. */
const nearlyRight: fc.Arbitrary<readonly [Path, unknown]> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...Object.keys(owner), 'controller', 'blockOwnerDeletion'), junk)
    .map(([name, value]) => [['metadata', 'ownerReferences'], [{ ...owner, [name]: value }]] as const),
  fc
    .tuple(fc.constantFrom(...Object.keys(entry), 'time', 'subresource'), junk)
    .map(([name, value]) => [['metadata', 'managedFields'], [{ ...entry, [name]: value }]] as const),
  fc
    .tuple(fc.constantFrom('labels', 'annotations'), fc.constantFrom(...badTexts), junk)
    .map(([name, key, value]) => [['metadata', name], { [key]: value }] as const),
  fc.tuple(fc.constant('finalizers'), junk).map(([name, value]) => [['metadata', name], [value]] as const),
);

/** One change that makes an object invalid: another value at a path, a removed value, or an unknown field. */
export function mutation(object: unknown): fc.Arbitrary<unknown> {
  const places = pathsOf(object);
  const anywhere = fc.tuple(fc.constantFrom(...places), fc.option(junk, { nil: undefined }));
  const sameType = fc
    .constantFrom(...places)
    .chain((path) => ofSameType(valueAt(object, path)).map((value) => [path, value] as const));
  const inMetadata = fc
    .tuple(fc.constantFrom(...metadata), junk)
    .map(([name, value]) => [['metadata', name], value] as const);
  const unknownField = fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(...badTexts), junk)
    .map(([path, name, value]) => [[...path, name], value] as const);
  return fc
    .oneof(
      { weight: 8, arbitrary: sameType },
      { weight: 4, arbitrary: anywhere },
      { weight: 1, arbitrary: inMetadata },
      { weight: 1, arbitrary: nearlyRight },
      { weight: 1, arbitrary: unknownField },
    )
    .map(([path, value]) => replaced(object, path, value));
}

/** An object with one to three errors. */
export const mutated = (object: unknown): fc.Arbitrary<unknown> =>
  mutation(object).chain((once) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(once) },
      { weight: 1, arbitrary: mutation(once).chain((twice) => mutation(twice)) },
    ),
  );
