import type { Evaluation } from '../functions/evaluation.ts';
import { type Library, member } from '../functions/overload.ts';
import * as types from '../types/type.ts';
import { ArrayList } from '../values/collections.ts';
import type { ListValue } from '../values/value.ts';
import { findCost } from './costs.ts';
import { PatternSearch } from './patterns/pattern-search.ts';
import { Patterns } from './patterns/patterns.ts';

const { int, list, string } = types;

/** `find` and `findAll` with the patterns of RE2. */
export function regex(): Library {
  const patterns = new Patterns((pattern) => new PatternSearch(pattern));

  const find = (text: string, pattern: string, evaluation: Evaluation): string =>
    patterns.get(pattern, evaluation).matches(text, evaluation)() ?? '';

  const findSome = (text: string, pattern: string, most: number, evaluation: Evaluation): ListValue => {
    const next = patterns.get(pattern, evaluation).matches(text, evaluation);
    const found: string[] = [];
    while (most < 0 || found.length < most) {
      const match = next();
      if (match === undefined) break;
      found.push(match);
    }
    return new ArrayList(found);
  };

  return {
    name: 'regex',
    functions: {
      find: [member('string_find_string', [[string, string], string], find, findCost)],
      findAll: [
        member(
          'string_find_all_string',
          [[string, string], list(string)],
          (text: string, pattern: string, evaluation: Evaluation) => findSome(text, pattern, -1, evaluation),
          findCost,
        ),
        member(
          'string_find_all_string_int',
          [[string, string, int], list(string)],
          (text: string, pattern: string, most: number | bigint, evaluation: Evaluation) =>
            findSome(text, pattern, Number(most), evaluation),
          findCost,
        ),
      ],
    },
  };
}
