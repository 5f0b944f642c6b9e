import type { JobSpec, SuccessPolicyRule } from '@orch/kinds/batch';
import { type FieldError, fieldError } from '@orch/machinery';

/** Only the indexes of Indexed jobs can decide about success. */
export function checkSuccessPolicy(spec: JobSpec, path: string): readonly FieldError[] {
  const { successPolicy, completionMode, completions = 0 } = spec;
  if (successPolicy === undefined) return [];
  const at = `${path}.successPolicy`;
  if (completionMode !== 'Indexed')
    return [fieldError.invalid(at, successPolicy, 'requires indexed completion mode')];
  return (successPolicy.rules ?? []).flatMap((rule, i) => checkRule(rule, completions, `${at}.rules[${i}]`));
}

function checkRule(rule: SuccessPolicyRule, completions: number, path: string): readonly FieldError[] {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  if (count === undefined && indexes === undefined)
    return [
      fieldError.required(path, 'at least one of succeededCount or succeededIndexes must be specified'),
    ];
  const errors: FieldError[] = [];
  const counted = indexes === undefined ? undefined : countIndexes(indexes, completions);
  if (typeof counted === 'string')
    errors.push(
      fieldError.invalid(`${path}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${counted}`),
    );
  if (count === undefined) return errors;
  const at = `${path}.succeededCount`;
  if (count > completions) {
    const why = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(fieldError.invalid(at, count, why));
  }
  if (typeof counted === 'number' && count > counted) {
    const why = `must be less than or equal to ${counted} (the number of indexes in the specified succeededIndexes field)`;
    errors.push(fieldError.invalid(at, count, why));
  }
  return errors;
}

const interval = /^(\d{1,10})(?:-(\d{1,10}))?$/;

/** The number of indexes in `1,3-5`; a sentence when they are not in rising order, or not below the completions. */
function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let count = 0;
  let last = -1;
  for (const part of text.split(',')) {
    const [, first = '', end = first] = interval.exec(part) ?? [];
    if (first === '') return `cannot convert string to integer for index: ${JSON.stringify(part)}`;
    const [from, to] = [Number(first), Number(end)];
    if (to >= completions) return `too large index: ${JSON.stringify(end)}`;
    if (part.includes('-') && from >= to) return `non-increasing order, previous: ${from}, current: ${to}`;
    if (from <= last) return `non-increasing order, previous: ${last}, current: ${from}`;
    count += to - from + 1;
    last = to;
  }
  return count;
}
