import { TRAVERSAL } from '../../functions/call-costs.ts';
import type { CallEstimator } from '../../functions/call-estimate.ts';
import type { CallCost, Overload } from '../../functions/overload.ts';
import { add, fixed, type Range, scale, unknown } from '../../functions/range.ts';
import type { CelType } from '../../types/type.ts';
import * as types from '../../types/type.ts';
import { EvaluationError } from '../../values/evaluation-error.ts';

/**
 * Signatures of the operators. Their implementations are in `eval/operators.ts`, by the values of their operands; the
 * checker and the cost model use these.
 */

const { bool, bytes, double, duration, int, list, map, optional, param, string, timestamp, uint } = types;
const [A, B] = [param('A'), param('B')];

type Signature = readonly [id: string, args: readonly CelType[], result: CelType];
type Costs = Pick<Overload, 'cost' | 'estimate'>;

const builtIn = (): never => {
  throw new EvaluationError('an operator is evaluated by its operands');
};

const operator = ([id, args, result]: Signature, costs: Costs = {}): Overload => ({
  id,
  member: false,
  args,
  result,
  call: builtIn,
  ...costs,
});

const operators = (signatures: readonly Signature[], costs: Costs = {}): readonly Overload[] =>
  signatures.map((signature) => operator(signature, costs));

const sizes = (args: Parameters<CallEstimator>[0]): readonly [Range, Range] => [
  args[0]?.size ?? unknown,
  args[1]?.size ?? unknown,
];

/** A new text of both. */
const concatenation: Costs = {
  cost: ([a, b], evaluation) => Math.ceil((evaluation.sizeOf(a) + evaluation.sizeOf(b)) * TRAVERSAL),
  estimate: (args) => {
    const size = add(...sizes(args));
    return { cost: scale(size, TRAVERSAL), size };
  },
};

const listConcatenation: Costs = {
  estimate: (args) => ({ cost: fixed(1), size: add(...sizes(args)) }),
};

const smallerSize: CallCost = ([a, b], evaluation) =>
  Math.ceil(Math.min(evaluation.sizeOf(a), evaluation.sizeOf(b)) * TRAVERSAL);

const textComparison: Costs = {
  cost: smallerSize,
  estimate: (args) => {
    const [a, b] = sizes(args);
    const max = Math.min(a.max, b.max);
    return { cost: scale({ min: max > 0 ? 1 : 0, max }, TRAVERSAL) };
  },
};

const membership: Costs = {
  cost: ([, collection], evaluation) => evaluation.sizeOf(collection),
  estimate: (args) => ({ cost: scale(sizes(args)[1], 1) }),
};

const orderedTypes: readonly (readonly [string, CelType])[] = [
  ['bool', bool],
  ['int64', int],
  ['uint64', uint],
  ['double', double],
  ['timestamp', timestamp],
  ['duration', duration],
];

const numericPairs: readonly (readonly [string, CelType, CelType])[] = [
  ['int64_double', int, double],
  ['int64_uint64', int, uint],
  ['uint64_double', uint, double],
  ['uint64_int64', uint, int],
  ['double_int64', double, int],
  ['double_uint64', double, uint],
];

const comparison = (name: string): readonly Overload[] => [
  ...orderedTypes.map(([suffix, type]) => operator([`${name}_${suffix}`, [type, type], bool])),
  operator([`${name}_string`, [string, string], bool], textComparison),
  operator([`${name}_bytes`, [bytes, bytes], bool], textComparison),
];

const mixedComparison = (name: string): readonly Overload[] =>
  numericPairs.map(([suffix, left, right]) => operator([`${name}_${suffix}`, [left, right], bool]));

const comparisons = {
  '_<_': 'less',
  '_<=_': 'less_equals',
  '_>_': 'greater',
  '_>=_': 'greater_equals',
} as const;

const each = (overloads: (name: string) => readonly Overload[]): Record<string, readonly Overload[]> =>
  Object.fromEntries(Object.entries(comparisons).map(([key, name]) => [key, overloads(name)]));

/** Arithmetic on two numbers of one type. */
const arithmetic = (name: string, numbers: readonly CelType[]): readonly Signature[] =>
  numbers.map((type) => [
    `${name}_${type.kind === 'double' ? 'double' : `${type.kind}64`}`,
    [type, type],
    type,
  ]);

export const operatorFunctions: Readonly<Record<string, readonly Overload[]>> = {
  ...each(comparison),
  '_+_': [
    ...operators(arithmetic('add', [int, uint, double])),
    ...operators(
      [
        ['add_string', [string, string], string],
        ['add_bytes', [bytes, bytes], bytes],
      ],
      concatenation,
    ),
    operator(['add_list', [list(A), list(A)], list(A)], listConcatenation),
    ...operators([
      ['add_timestamp_duration', [timestamp, duration], timestamp],
      ['add_duration_timestamp', [duration, timestamp], timestamp],
      ['add_duration_duration', [duration, duration], duration],
    ]),
  ],
  '_-_': operators([
    ...arithmetic('subtract', [int, uint, double]),
    ['subtract_timestamp_timestamp', [timestamp, timestamp], duration],
    ['subtract_timestamp_duration', [timestamp, duration], timestamp],
    ['subtract_duration_duration', [duration, duration], duration],
  ]),
  '_*_': operators(arithmetic('multiply', [int, uint, double])),
  '_/_': operators(arithmetic('divide', [int, uint, double])),
  '_%_': operators(arithmetic('modulo', [int, uint])),
  '-_': operators([
    ['negate_int64', [int], int],
    ['negate_double', [double], double],
  ]),
  '!_': operators([['logical_not', [bool], bool]]),
  '_&&_': operators([['logical_and', [bool, bool], bool]]),
  '_||_': operators([['logical_or', [bool, bool], bool]]),
  '_?_:_': operators([['conditional', [bool, A, A], A]]),
  '_==_': operators([['equals', [A, A], bool]]),
  '_!=_': operators([['not_equals', [A, A], bool]]),
  '@in': [operator(['in_list', [A, list(A)], bool], membership), operator(['in_map', [A, map(A, B)], bool])],
  '_[_]': operators([
    ['index_list', [list(A), int], A],
    ['index_map', [map(A, B), A], B],
  ]),
};

/** Comparisons of numbers of different types. */
export const mixedComparisons: Readonly<Record<string, readonly Overload[]>> = each(mixedComparison);

/** Indices of optionals, and indices with an optional as their result. */
export const optionalIndices: Readonly<Record<string, readonly Overload[]>> = {
  '_[_]': operators([
    ['optional_list_index_int', [optional(list(A)), int], optional(A)],
    ['optional_map_index_value', [optional(map(A, B)), A], optional(B)],
  ]),
  '_[?_]': operators([
    ['list_optindex_optional_int', [list(A), int], optional(A)],
    ['optional_list_optindex_optional_int', [optional(list(A)), int], optional(A)],
    ['map_optindex_optional_value', [map(A, B), A], optional(B)],
    ['optional_map_optindex_optional_value', [optional(map(A, B)), A], optional(B)],
  ]),
};
