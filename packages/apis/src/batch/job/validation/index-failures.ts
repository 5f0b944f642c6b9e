import type { JobSpec } from '@orch/kinds/batch';
import { type FieldError, fieldError } from '@orch/machinery';

const MAX_FAILED_INDEXES = 100_000;
/** Jobs with more completions have lower bounds. */
const MANY_COMPLETIONS = 100_000;
const MAX_OF_MANY = 10_000;

/** Indexes of Indexed jobs fail each for itself; the number of those that may fail is bounded. */
export function checkIndexFailures(spec: JobSpec, path: string): readonly FieldError[] {
  const { backoffLimitPerIndex: limit, maxFailedIndexes: failed } = spec;
  const errors: FieldError[] = [];
  if (failed !== undefined && limit === undefined)
    errors.push(fieldError.required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  if (spec.completionMode !== 'Indexed') {
    for (const [name, value] of Object.entries({ backoffLimitPerIndex: limit, maxFailedIndexes: failed }))
      if (value !== undefined)
        errors.push(fieldError.invalid(`${path}.${name}`, value, 'requires indexed completion mode'));
    return errors;
  }
  return [...errors, ...checkFailedIndexes(spec, `${path}.maxFailedIndexes`), ...checkMany(spec, path)];
}

function checkFailedIndexes(
  { completions, maxFailedIndexes: failed }: JobSpec,
  at: string,
): readonly FieldError[] {
  if (failed === undefined) return [];
  const errors: FieldError[] = [];
  if (completions !== undefined && failed > completions)
    errors.push(fieldError.invalid(at, failed, 'must be less than or equal to completions'));
  if (failed > MAX_FAILED_INDEXES)
    errors.push(fieldError.invalid(at, failed, `must be less than or equal to ${MAX_FAILED_INDEXES}`));
  return errors;
}

function checkMany(spec: JobSpec, path: string): readonly FieldError[] {
  const { completions = 0, parallelism = 0, backoffLimitPerIndex, maxFailedIndexes: failed } = spec;
  if (completions <= MANY_COMPLETIONS || backoffLimitPerIndex === undefined) return [];
  const why = `must be less than or equal to ${MAX_OF_MANY} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  const errors: FieldError[] = [];
  if (failed === undefined)
    errors.push(
      fieldError.required(
        `${path}.maxFailedIndexes`,
        `must be specified when completions is above ${MANY_COMPLETIONS}`,
      ),
    );
  if (parallelism > MAX_OF_MANY) errors.push(fieldError.invalid(`${path}.parallelism`, parallelism, why));
  if (failed !== undefined && failed > MAX_OF_MANY)
    errors.push(fieldError.invalid(`${path}.maxFailedIndexes`, failed, why));
  return errors;
}
