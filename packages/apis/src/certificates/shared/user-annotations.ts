import { type FieldError, fieldError } from '@orch/machinery';
import { checkFormat } from '../../validation-rules.ts';

const MAX_ANNOTATION_BYTES = 262_144;

/** Checks annotations for a signer: their keys have a domain. */
export function checkUserAnnotations(
  path: string,
  found: Readonly<Record<string, string>>,
): readonly FieldError[] {
  const bytes = Object.entries(found).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...Object.keys(found).flatMap((key) =>
      key.includes('/')
        ? checkFormat('qualifiedName', path, key.toLowerCase())
        : [
            key === ''
              ? fieldError.required(path, 'a key must not be empty')
              : fieldError.invalid(path, key, 'must have a domain before a slash'),
          ],
    ),
    ...(bytes > MAX_ANNOTATION_BYTES ? [fieldError.tooLong(path, MAX_ANNOTATION_BYTES)] : []),
  ];
}
