import { type FieldError, fieldError } from '@orch/machinery';
import { asText } from '../../../read.ts';
import { checkFormat } from '../../../validation-rules.ts';

/** A name that is there and fits into the path of a request. */
export function checkSegment(path: string, value: unknown, expected = ''): readonly FieldError[] {
  const text = asText(value);
  return text === '' ? [fieldError.required(path, expected)] : checkFormat('pathSegment', path, text);
}

/** What a reference to an object of whatever kind needs. */
export const checkReference = (
  path: string,
  reference: Readonly<Record<string, unknown>>,
): readonly FieldError[] => [
  ...checkSegment(`${path}.kind`, reference['kind']),
  ...checkSegment(`${path}.name`, reference['name']),
];
