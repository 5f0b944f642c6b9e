import { type CallWork, type Overload, overload } from '../../functions/overload.ts';
import { scale, unknown } from '../../functions/range.ts';
import type { CelType } from '../../types/type.ts';
import * as types from '../../types/type.ts';
import * as convert from '../../values/convert.ts';
import { typeNameOf } from '../../values/type-of.ts';
import { TypeValue, type Value } from '../../values/value.ts';
import { type CostRule, traversal, workPerUnit } from '../costs.ts';

const { bool, bytes, double, duration, int, string, timestamp, uint } = types;

const names = new Map<CelType, string>([
  [bool, 'bool'],
  [bytes, 'bytes'],
  [double, 'double'],
  [duration, 'duration'],
  [int, 'int64'],
  [string, 'string'],
  [timestamp, 'timestamp'],
  [uint, 'uint64'],
]);

/** Work of a conversion of strings, by their length when that is unbounded, or to strings. */
function conversionWork(source: CelType, result: CelType): CallWork {
  if (source === string && result === double) return workPerUnit(0.5);
  if (result !== string) return source === string ? 50 : 5;
  if (source === timestamp || source === duration) return 150;
  return source === double ? 120 : 10;
}

const conversions = (
  result: CelType,
  sources: readonly CelType[],
  implementation: (value: never) => Value,
): readonly Overload[] =>
  sources.map((source) =>
    overload(`${names.get(source)}_to_${names.get(result)}`, [[source], result], implementation, {
      work: conversionWork(source, result),
    }),
  );

/** Every code point may become four bytes. */
const stringToBytes: CostRule = {
  ...traversal(),
  costNeedsTypes: true,
  estimate: ([text]) => {
    const size = text?.size ?? unknown;
    return { cost: scale(size, 0.1), size: { min: size.min, max: size.max * 4 } };
  },
};

const bytesToString: CostRule = {
  ...traversal(),
  costNeedsTypes: true,
  estimate: ([data]) => {
    const size = data?.size ?? unknown;
    return { cost: scale(size, 0.1), size: { min: Math.floor(size.min / 4), max: size.max } };
  },
};

const identity = (value: Value): Value => value;

export const conversionFunctions: Readonly<Record<string, readonly Overload[]>> = {
  int: conversions(int, [int, uint, double, string, timestamp, duration], convert.toInt),
  uint: conversions(uint, [uint, int, double, string], convert.toUint),
  double: conversions(double, [double, int, uint, string], convert.toDouble),
  bool: conversions(bool, [bool, string], convert.toBool),
  string: [
    ...conversions(string, [string, bool, int, uint, double, timestamp, duration], convert.toText),
    overload('bytes_to_string', [[bytes], string], convert.toText, bytesToString),
  ],
  bytes: [
    overload('bytes_to_bytes', [[bytes], bytes], identity),
    overload('string_to_bytes', [[string], bytes], convert.toBytes, stringToBytes),
  ],
  timestamp: conversions(timestamp, [timestamp, string, int], convert.toTimestamp),
  duration: conversions(duration, [duration, string, int], convert.toDuration),
  dyn: [overload('to_dyn', [[types.param('A')], types.dyn], identity)],
  type: [
    overload(
      'type',
      [[types.param('A')], types.typeOfType(types.param('A'))],
      (value: Value) => new TypeValue(typeNameOf(value)),
    ),
  ],
};
