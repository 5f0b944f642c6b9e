import type { CrossVersionObjectReferenceV2 } from '@orch/kinds/autoscaling';
import { type FieldError, fieldError } from '@orch/machinery';
import { checkFormat } from '../../../validation-rules.ts';

/** Checks that a name is set and can be a path segment of a request. */
export function checkSegment(path: string, text: string | undefined, expected = ''): readonly FieldError[] {
  return text === undefined || text === ''
    ? [fieldError.required(path, expected)]
    : checkFormat('pathSegment', path, text);
}

/** Checks a reference to an object of any kind. */
export const checkReference = (
  path: string,
  reference: CrossVersionObjectReferenceV2,
): readonly FieldError[] => [
  ...checkSegment(`${path}.kind`, reference.kind),
  ...checkSegment(`${path}.name`, reference.name),
];
