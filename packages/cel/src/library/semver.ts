import { type Library, member, overload } from '../functions/overload.ts';
import * as types from '../types/type.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { intOf, MAX_UINT64, OpaqueValue, type Value } from '../values/value.ts';
import { type CostRule, constantCost, traversal, workPerUnit } from './costs.ts';

const TYPE = 'kubernetes.Semver';
export const semanticVersionType = types.opaque(TYPE);

class SemverValue extends OpaqueValue {
  readonly typeName = TYPE;
  /** Major, minor and patch. */
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly (string | bigint)[];
  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly (string | bigint)[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && compare(this, other) === 0;
  }
}

const number = '(0|[1-9]\\d{0,19})';
const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const form = new RegExp(`^${number}\\.${number}\\.${number}(?:-(${identifiers}))?(?:\\+${identifiers})?$`);

function read(text: string): SemverValue | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [major = 0n, minor = 0n, patch = 0n] = match.slice(1, 4).map(BigInt);
  if (major > MAX_UINT64 || minor > MAX_UINT64 || patch > MAX_UINT64) return undefined;
  const parts = match[4]?.split('.') ?? [];
  if (parts.some((part) => /^0\d+$/.test(part))) return undefined;
  const prerelease = parts.map((part) => (/^\d{1,20}$/.test(part) ? BigInt(part) : part));
  return new SemverValue([major, minor, patch], prerelease);
}

/** Completes `v1.2` to `1.2.0` and drops leading zeros; a version that is not complete has no suffix. */
function normalize(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const patch = rest.length === 0 ? undefined : rest.join('.');
  const parts = [major, minor, patch].filter((part) => part !== undefined).map(withoutZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return '';
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

/** At least one digit stays. */
function withoutZeros(part: string): string {
  if (part.length < 2) return part;
  const bare = part.replace(/^0+/, '');
  return /^\d/.test(bare) ? bare : `0${bare}`;
}

function compare(a: SemverValue, b: SemverValue): -1 | 0 | 1 {
  for (let i = 0; i < 3; i++) {
    const order = orderOf(a.numbers[i] ?? 0n, b.numbers[i] ?? 0n);
    if (order !== 0) return order;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

const orderOf = <T extends bigint | string | number>(a: T, b: T): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0);

/** A release follows its prereleases; numbers precede strings. */
function comparePrereleases(a: readonly (string | bigint)[], b: readonly (string | bigint)[]): -1 | 0 | 1 {
  if (a.length === 0) return b.length === 0 ? 0 : 1;
  if (b.length === 0) return -1;
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x = '', y = ''] = [a[i], b[i]];
    if (typeof x !== typeof y) return typeof x === 'bigint' ? -1 : 1;
    const order = orderOf<bigint | string>(x, y);
    if (order !== 0) return order;
  }
  return orderOf(a.length, b.length);
}

const identifiersOf = (version: Value): number =>
  version instanceof SemverValue ? version.prerelease.length * 2 : 0;

function semver(text: string): SemverValue {
  const result = read(text);
  if (result === undefined)
    throw new EvaluationError(`invalid semantic version ${JSON.stringify(text.slice(0, 100))}`);
  return result;
}

const completed = (text: string, isTolerant: boolean): string => (isTolerant ? normalize(text) : text);

const { bool, int, string } = types;
const s = semanticVersionType;
const constant = constantCost(1);
const comparison: CostRule = { ...constant, work: (args) => 10 + Math.min(...args.map(identifiersOf)) };
const reading = traversal({ work: workPerUnit(8, { base: 60 }) });

const part = (id: string, index: 0 | 1 | 2) => [
  member(id, [[s], int], ({ numbers }: SemverValue) => intOf(BigInt.asIntN(64, numbers[index])), constant),
];

export const semanticVersions: Library = {
  name: 'semver',
  functions: {
    semver: [
      overload('string_to_semver', [[string], s], semver, reading),
      overload(
        'string_bool_to_semver',
        [[string, bool], s],
        (text: string, isTolerant: boolean) => semver(completed(text, isTolerant)),
        reading,
      ),
    ],
    isSemver: [
      overload('is_semver_string', [[string], bool], (text: string) => read(text) !== undefined, reading),
      overload(
        'is_semver_string_bool',
        [[string, bool], bool],
        (text: string, isTolerant: boolean) => read(completed(text, isTolerant)) !== undefined,
        reading,
      ),
    ],
    isGreaterThan: [
      member(
        'semver_is_greater_than',
        [[s, s], bool],
        (a: SemverValue, b: SemverValue) => compare(a, b) > 0,
        comparison,
      ),
    ],
    isLessThan: [
      member(
        'semver_is_less_than',
        [[s, s], bool],
        (a: SemverValue, b: SemverValue) => compare(a, b) < 0,
        comparison,
      ),
    ],
    compareTo: [member('semver_compare_to', [[s, s], int], compare, comparison)],
    major: part('semver_major', 0),
    minor: part('semver_minor', 1),
    patch: part('semver_patch', 2),
  },
};
