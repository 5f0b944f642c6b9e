import { TRAVERSAL } from '../../functions/call-costs.ts';
import type { Evaluation } from '../../functions/evaluation.ts';
import { type CallWork, type Library, member, type Overload, overload } from '../../functions/overload.ts';
import { multiply, scale, unknown } from '../../functions/range.ts';
import { standardMacros } from '../../syntax/macros.ts';
import * as types from '../../types/type.ts';
import type { Value } from '../../values/value.ts';
import { type CostRule, patternCost, traversal } from '../costs.ts';
import { type Test, testOf } from '../patterns/pattern-test.ts';
import { Patterns } from '../patterns/patterns.ts';
import { TextSearch } from '../text/text-search.ts';
import { conversionFunctions } from './conversions.ts';
import { mixedComparisons, operatorFunctions } from './operators.ts';
import { timeFunctions } from './times.ts';

const { bool, bytes, double, duration, int, list, map, nullType, param, string, timestamp, uint } = types;
const [A, B] = [param('A'), param('B')];

const sizeOf = (value: Value, evaluation: Evaluation): number => evaluation.sizeOf(value);

const sized = [
  ['string', string],
  ['bytes', bytes],
  ['list', list(A)],
  ['map', map(A, B)],
] as const;

const size: readonly Overload[] = sized.flatMap(([name, type]) => [
  overload(`size_${name}`, [[type], int], sizeOf),
  member(`${name}_size`, [[type], int], sizeOf),
]);

/** The text is gone through for every character that is looked for. */
const containsCost: CostRule = {
  cost: ([text, part], evaluation) =>
    Math.ceil(evaluation.sizeOf(text) * TRAVERSAL) * Math.ceil(evaluation.sizeOf(part) * TRAVERSAL),
  estimate: ([text, part]) => ({
    cost: multiply(scale(text?.size ?? unknown, TRAVERSAL), scale(part?.size ?? unknown, TRAVERSAL)),
  }),
};

/** By the searched string, as in Kubernetes. */
const prefixCost: CostRule = traversal({ index: 1 });

const textTest = (
  id: string,
  test: (text: string, part: string) => boolean,
  costs: CostRule,
): readonly Overload[] => [member(id, [[string, string], bool], test, costs)];

/** Work of a test whose states are known: some however short the text, and for each character. */
const testWork: CallWork = ([text]) => 8 + Math.ceil((text as string).length * 0.6);

function matches(patterns: Patterns<Test>): readonly Overload[] {
  const test = (text: string, pattern: string, evaluation: Evaluation): boolean => {
    return patterns.get(pattern, evaluation).test(text, evaluation);
  };
  const type = [[string, string], bool] as const;
  const costs = { ...patternCost, work: testWork };
  return [overload('matches', type, test, costs), member('matches_string', type, test, costs)];
}

/** The functions, operators and macros of the language itself. */
export function standardLibrary(): Library {
  return {
    name: 'standard',
    macros: standardMacros,
    types: [
      bool,
      int,
      uint,
      double,
      string,
      bytes,
      nullType,
      timestamp,
      duration,
      types.typeOfType(),
      list(types.dyn),
      map(types.dyn, types.dyn),
    ],
    functions: {
      ...operatorFunctions,
      ...conversionFunctions,
      ...timeFunctions,
      size,
      contains: [
        member(
          'contains_string',
          [[string, string], bool],
          (text: string, part: string, evaluation: Evaluation) =>
            new TextSearch(part, text, evaluation).first(text) >= 0,
          containsCost,
        ),
      ],
      startsWith: textTest('starts_with_string', (text, part) => text.startsWith(part), prefixCost),
      endsWith: textTest('ends_with_string', (text, part) => text.endsWith(part), prefixCost),
      matches: matches(new Patterns((text) => testOf(text))),
    },
  };
}

/** Comparisons of numbers of different types. */
export const mixedNumbers: Library = { name: 'mixed numbers', functions: mixedComparisons };
