import { TRAVERSAL } from '../functions/call-costs.ts';
import type { Evaluation } from '../functions/evaluation.ts';
import { type Library, member, overload } from '../functions/overload.ts';
import { add, fixed, multiply, type Range, scale, unknown } from '../functions/range.ts';
import * as types from '../types/type.ts';
import { countCodePoints, unitOffset } from '../values/code-points.ts';
import { ArrayList } from '../values/collections.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import type { ListValue } from '../values/value.ts';
import { type CostRule, elementwise, traversal, workPerUnit } from './costs.ts';
import { lowerAscii, upperAscii } from './text/ascii-case.ts';
import { type FormatStyle, localizedStyle, plainStyle } from './text/format-style.ts';
import { formatter } from './text/format-text.ts';
import { replaceEstimate } from './text/replace-estimate.ts';
import { gapsOf, piecesOf } from './text/text-pieces.ts';
import { TextSearch } from './text/text-search.ts';
import { trim } from './text/trim.ts';

const { dyn, int, list, string } = types;

type Int = number | bigint;

const outOfRange = (index: Int): EvaluationError => new EvaluationError(`index out of range: ${index}`);

/** Offset in UTF-16 units of a code point by its index, which may be the one after the last. */
function offsetOf(text: string, index: Int, evaluation: Evaluation): number {
  const length = evaluation.lengthOf(text);
  if (typeof index === 'bigint' || index < 0 || index > length) throw outOfRange(index);
  if (length === text.length) return index;
  evaluation.work(index >> 2);
  return unitOffset(text, index);
}

function charAt(text: string, index: Int, evaluation: Evaluation): string {
  const at = offsetOf(text, index, evaluation);
  return at === text.length ? '' : String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function substring(text: string, start: Int, end: Int | Evaluation, evaluation?: Evaluation): string {
  if (typeof end === 'object') return text.slice(offsetOf(text, start, end));
  if (evaluation === undefined) throw outOfRange(end);
  if (start > end) throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  return text.slice(offsetOf(text, start, evaluation), offsetOf(text, end, evaluation));
}

/** Index in code points for an offset in units. */
const indexAt = (text: string, offset: number): number =>
  offset < 0 ? -1 : countCodePoints(text.slice(0, offset));

const indexOf = (text: string, part: string, evaluation: Evaluation): number =>
  indexAt(text, new TextSearch(part, text, evaluation).first(text));

/** A search that begins after the text finds nothing. */
function indexOfFrom(text: string, part: string, start: Int, evaluation: Evaluation): Int {
  if (part === '') return start;
  if (typeof start === 'bigint' || start < 0) throw outOfRange(start);
  const length = evaluation.lengthOf(text);
  if (start >= length) return -1;
  const from = offsetOf(text, start, evaluation);
  return indexAt(text, new TextSearch(part, text, evaluation).first(text, from));
}

const lastIndexOf = (text: string, part: string, evaluation: Evaluation): number =>
  indexAt(text, new TextSearch(part, text, evaluation).last(text));

function lastIndexOfFrom(text: string, part: string, start: Int, evaluation: Evaluation): Int {
  if (part === '') return start;
  if (typeof start === 'bigint' || start < 0) throw outOfRange(start);
  const length = evaluation.lengthOf(text);
  if (start > length - 1) return -1;
  const until = offsetOf(text, start, evaluation);
  return indexAt(text, new TextSearch(part, text, evaluation).last(text, until));
}

/** Maximum length of a string that a call creates; its cost is counted only afterwards. */
const MAX_RESULT = 10_000_000;

interface Replacement {
  readonly before: string;
  readonly after: string;
  /** Maximum number of replacements; no limit below 0. */
  readonly limit: number;
}

function replaceSome(text: string, { before, after, limit }: Replacement, evaluation: Evaluation): string {
  const most = limit < 0 ? Number.POSITIVE_INFINITY : limit;
  const pieces =
    before === '' ? gapsOf(text, most, evaluation) : piecesOf(text, before, most + 1, evaluation);
  const length = text.length + (pieces.length - 1) * after.length;
  if (length > MAX_RESULT) throw new EvaluationError('result of replace is too long');
  evaluation.work(length >> 3);
  return pieces.join(after);
}

const replace = (text: string, before: string, after: string, evaluation: Evaluation): string =>
  replaceSome(text, { before, after, limit: -1 }, evaluation);

const replaceUpTo = (
  text: string,
  before: string,
  after: string,
  ...[limit, evaluation]: [Int, Evaluation]
): string => replaceSome(text, { before, after, limit: Number(limit) }, evaluation);

const split = (text: string, separator: string, evaluation: Evaluation): ListValue =>
  new ArrayList(piecesOf(text, separator, Number.POSITIVE_INFINITY, evaluation));

function splitUpTo(text: string, separator: string, limit: Int, evaluation: Evaluation): ListValue {
  if (limit < 0) return split(text, separator, evaluation);
  if (limit === 0) return new ArrayList([]);
  return new ArrayList(piecesOf(text, separator, Number(limit), evaluation));
}

const join = (parts: ListValue, evaluation: Evaluation): string => joinBy(parts, '', evaluation);

function joinBy(parts: ListValue, separator: string, evaluation: Evaluation): string {
  if (separator.length * parts.length > MAX_RESULT) throw new EvaluationError('result of join is too long');
  const texts: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts.at(i);
    if (typeof part !== 'string') throw new EvaluationError('join: invalid input: elements must be strings');
    evaluation.work((part.length + separator.length) >> 4);
    texts.push(part);
  }
  return texts.join(separator);
}

const quoted: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they have escapes
const special = /[\x07\b\f\n\r\t\v\\"]/g;

const quote = (text: string): string =>
  `"${text.toWellFormed().replace(special, (found) => quoted[found] ?? found)}"`;

const reverse = (text: string): string => [...text].reverse().join('');

const whole = traversal({ keepsSize: true, work: 20 });
/** Going through the text by units. */
const byUnits = traversal({ keepsSize: true, work: workPerUnit(0.3) });
/** Traversing the text and building the result. */
const twice = traversal({ factor: 2, work: 20 });

const splitCost: CostRule = {
  ...twice,
  estimate: (args) => {
    const [text, , limit] = args;
    const literal = limit?.literal;
    const max = typeof literal === 'number' && literal >= 0 ? literal : (text?.size ?? unknown).max;
    return { ...twice.estimate(args), size: { min: 0, max } };
  },
};

const joinCost: CostRule = {
  work: workPerUnit(5),
  costOfResult: true,
  cost: (_args, evaluation, result) => Math.ceil(evaluation.sizeOf(result) * 2 * TRAVERSAL),
  estimate: ([parts, separator]) => {
    const count = parts?.size ?? unknown;
    const separators: Range = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    const between = separator === undefined ? fixed(0) : multiply(separator.size, separators);
    const size = add(multiply(count, parts?.elementSize ?? unknown), between);
    return { cost: scale(size, TRAVERSAL), size };
  },
};

const replaceCost: CostRule = { ...twice, estimate: replaceEstimate };

const quoteCost: CostRule = {
  ...traversal({ work: workPerUnit(6) }),
  estimate: ([text]) => {
    const size = text?.size ?? unknown;
    return { cost: scale(size, TRAVERSAL), size: { min: size.min + 2, max: size.max * 2 + 2 } };
  },
};

/** Functions on strings that every release has. */
export const strings: Library = {
  name: 'strings',
  functions: {
    charAt: [member('string_char_at_int', [[string, int], string], charAt, { work: 15 })],
    indexOf: [
      member('string_index_of_string', [[string, string], int], indexOf, elementwise),
      member('string_index_of_string_int', [[string, string, int], int], indexOfFrom, elementwise),
    ],
    lastIndexOf: [
      member('string_last_index_of_string', [[string, string], int], lastIndexOf, elementwise),
      member('string_last_index_of_string_int', [[string, string, int], int], lastIndexOfFrom, elementwise),
    ],
    lowerAscii: [member('string_lower_ascii', [[string], string], lowerAscii, byUnits)],
    upperAscii: [member('string_upper_ascii', [[string], string], upperAscii, byUnits)],
    replace: [
      member('string_replace_string_string', [[string, string, string], string], replace, replaceCost),
      member(
        'string_replace_string_string_int',
        [[string, string, string, int], string],
        replaceUpTo,
        replaceCost,
      ),
    ],
    split: [
      member('string_split_string', [[string, string], list(string)], split, splitCost),
      member('string_split_string_int', [[string, string, int], list(string)], splitUpTo, splitCost),
    ],
    substring: [
      member('string_substring_int', [[string, int], string], substring, whole),
      member('string_substring_int_int', [[string, int, int], string], substring, whole),
    ],
    trim: [member('string_trim', [[string], string], trim, byUnits)],
    join: [
      member('list_join', [[list(string)], string], join, joinCost),
      member('list_join_string', [[list(string), string], string], joinBy, joinCost),
    ],
  },
};

const formatting = (style: FormatStyle): Library => ({
  name: 'string formatting',
  functions: {
    format: [member('string_format', [[string, list(dyn)], string], formatter(style), traversal())],
    'strings.quote': [overload('strings_quote', [[string], string], quote, quoteCost)],
  },
});

export const stringFormatting: Library = formatting(localizedStyle);

/** Formatting as the language defines it by now, for environments that no release of the API fixes. */
export const plainFormatting: Library = formatting(plainStyle);

export const stringReversal: Library = {
  name: 'string reversal',
  functions: {
    reverse: [member('string_reverse', [[string], string], reverse, traversal({ work: workPerUnit(6) }))],
  },
};
