import {
  approximateNumber,
  exactInteger,
  exactNumberText,
  isExactNumber,
  isJsonObject,
} from '@orch/machinery/json';

/** A floating-point constant of a template, which may be a whole number. Numbers of objects are whole where their text is. */
export class GoFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** The kinds that templates tell apart. `none`: a field that a map does not have, and null. */
export type Kind = 'none' | 'bool' | 'string' | 'int' | 'float' | 'slice' | 'map';

/** `int`: an integer of a template, and a length or position. Integers of objects are numbers. */
export function kindOf(value: unknown): Kind {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (value instanceof GoFloat) return 'float';
  if (typeof value === 'number' || isExactNumber(value))
    return integerOf(value) === undefined ? 'float' : 'int';
  return Array.isArray(value) ? 'slice' : 'map';
}

const types: Readonly<Record<Kind, string>> = {
  none: '<nil>',
  bool: 'bool',
  string: 'string',
  int: 'int64',
  float: 'float64',
  slice: '[]interface {}',
  map: 'map[string]interface {}',
};

export const typeOf = (value: unknown): string => (typeof value === 'bigint' ? 'int' : types[kindOf(value)]);

export const integerOf = (value: unknown): bigint | undefined =>
  typeof value === 'bigint' ? value : exactInteger(value);

export const floatOf = (value: unknown): number =>
  value instanceof GoFloat
    ? value.value
    : typeof value === 'bigint'
      ? Number(value)
      : (approximateNumber(value) ?? Number(exactNumberText(value)));

/** The entries of a map in the order of its keys. */
export const sortedEntries = (value: unknown): readonly (readonly [string, unknown])[] =>
  isJsonObject(value)
    ? Object.entries(value).toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : [];

/** Reports whether a value counts as true: not empty, not zero. */
export function isTrue(value: unknown): boolean {
  switch (kindOf(value)) {
    case 'none':
      return false;
    case 'bool':
      return value === true;
    case 'string':
      return value !== '';
    case 'int':
    case 'float':
      return floatOf(value) !== 0;
    case 'slice':
      return Array.isArray(value) && value.length > 0;
    case 'map':
      return Object.keys(value as object).length > 0;
  }
}
