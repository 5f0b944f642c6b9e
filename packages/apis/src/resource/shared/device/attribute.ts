import type { DeviceAttribute } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, type CheckContext, f, items, struct } from '@orch/schema';
import { presentOf } from '../../../validation-rules.ts';

const MAX_VALUE_BYTES = 64;
const listed = { gate: 'DRAListTypeAttributes', since: 'never' } as const;

const numeric = '(?:0|[1-9]\\d*)';
const prerelease = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const build = '[0-9A-Za-z-]+';
const semanticVersion = new RegExp(
  `^${numeric}\\.${numeric}\\.${numeric}(?:-${prerelease}(?:\\.${prerelease})*)?(?:\\+${build}(?:\\.${build})*)?$`,
);

/** Reports whether a text is a semantic version that is not longer than an attribute may be, before the expression is applied to it. */
export const isSemanticVersion = (version: string): boolean =>
  version.length <= MAX_VALUE_BYTES && semanticVersion.test(version);

function checkVersion(path: string, version: string): readonly FieldError[] {
  if (version.length > MAX_VALUE_BYTES) return [fieldError.tooLong(path, MAX_VALUE_BYTES)];
  return isSemanticVersion(version)
    ? []
    : [fieldError.invalid(path, version, 'must be a string compatible with semver.org spec 2.0.0')];
}

const scalars = ['int', 'bool', 'string', 'version'] as const;
const lists = ['ints', 'bools', 'strings', 'versions'] as const;

/** An attribute without a value lacks it; from 1.35 on, it is as invalid as one with several. */
function checkCount(
  path: string,
  present: readonly string[],
  since: CheckContext['since'],
): readonly FieldError[] {
  if (present.length === 1) return [];
  const why = 'exactly one value must be specified';
  return [
    present.length === 0 && !since('1.35')
      ? fieldError.required(path, why)
      : fieldError.invalid(path, present.join(), why),
  ];
}

const checkAttribute: Check<DeviceAttribute> = (attribute, { path, since }) => {
  const present = presentOf(attribute, [...scalars, ...lists]);
  const { version, versions = [] } = attribute;
  return [
    ...(version === undefined ? [] : checkVersion(`${path}.version`, version)),
    ...versions.flatMap((one, i) => checkVersion(`${path}.versions[${i}]`, one)),
    ...checkCount(path, present, since),
  ];
};

export const Attribute = struct(
  'resource.v1.DeviceAttribute',
  'A value of exactly one type.',
  {
    int: f.int64(2, { doc: 'A number.', presence: 'pointer' }),
    bool: f.bool(3, { doc: 'True or false.', presence: 'pointer' }),
    string: f.string(4, { doc: 'A text.', presence: 'pointer', maxBytes: MAX_VALUE_BYTES }),
    version: f.string(5, { doc: 'A semantic version, such as 1.2.3.', presence: 'pointer' }),
    ints: f.list(6, items.int64, { doc: 'Several numbers.', listType: 'atomic', ...listed }),
    bools: f.list(7, items.bool, { doc: 'Several truth values.', listType: 'atomic', ...listed }),
    strings: f.list(8, items.string, {
      doc: 'Several texts.',
      listType: 'atomic',
      maxBytes: MAX_VALUE_BYTES,
      ...listed,
    }),
    versions: f.list(9, items.string, {
      doc: 'Several semantic versions.',
      listType: 'atomic',
      ...listed,
    }),
  },
  { checks: [checkAttribute] },
);

/** How many values an attribute has: one, or those of its list. */
export const valuesOf = (attribute: DeviceAttribute): number =>
  Math.max(
    1,
    lists.reduce((count, list) => count + (attribute[list]?.length ?? 0), 0),
  );

/** Reports whether an attribute has a list of values. */
export const isListed = (attribute: DeviceAttribute): boolean => presentOf(attribute, lists).length > 0;
