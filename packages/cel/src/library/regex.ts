import type { Evaluation } from '../functions/evaluation.ts';
import { type Library, member } from '../functions/overload.ts';
import * as types from '../types/type.ts';
import { ArrayList } from '../values/collections.ts';
import type { ListValue } from '../values/value.ts';
import { findCost } from './costs.ts';
import { matchWork, Patterns, type Search, searchOf } from './patterns.ts';

const { int, list, string } = types;

/** Work of a search, however short the text. */
const SEARCH_BASE = 30;
/** Work for each character and instruction: a search follows all possible matches at once. */
const SEARCH_UNITS = 1.2;
/** A search marks what it visited, in a table that it clears; there is none for greater products of text and program. */
const MOST_MARKS = 262_144;
const MARKS_PER_UNIT = 2048;

/** `find` and `findAll` with the patterns of RE2. */
export function regex(): Library {
  const patterns = new Patterns(searchOf);

  const search = (text: string, pattern: string, evaluation: Evaluation): Search => {
    const found = patterns.get(pattern, evaluation);
    evaluation.work(SEARCH_BASE + matchWork(text.length, found.size, SEARCH_UNITS));
    return found;
  };

  const find = (text: string, pattern: string, evaluation: Evaluation): string => {
    const matcher = search(text, pattern, evaluation).compiled.matcher(text);
    return matcher.find() ? (matcher.group() ?? '') : '';
  };

  const findSome = (text: string, pattern: string, most: number, evaluation: Evaluation): ListValue => {
    const { compiled, size } = search(text, pattern, evaluation);
    const matcher = compiled.matcher(text);
    const again = SEARCH_BASE + Math.ceil(Math.min(text.length * size, MOST_MARKS) / MARKS_PER_UNIT);
    const found: string[] = [];
    while ((most < 0 || found.length < most) && matcher.find()) {
      evaluation.work(again);
      found.push(matcher.group() ?? '');
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
