import { type FieldError, fieldError, jsonEquals } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asObjects, asStringMap, asStrings, asText, type JsonObject } from '../../read.ts';
import { checkFormat } from '../../validation-rules.ts';

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

function checkParameters(parameters: unknown): readonly FieldError[] {
  const entries = Object.entries(asStringMap(parameters));
  if (entries.length > maxParameters) return [fieldError.tooLong('parameters', maxParameters)];
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of entries) {
    if (key === '') errors.push(fieldError.invalid('parameters', key, 'field can not be empty.'));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > maxParameterBytes) errors.push(fieldError.tooLong('parameters', maxParameterBytes));
  return errors;
}

/** A term as text that is the same for all terms that say the same. */
const identity = (term: JsonObject): string =>
  JSON.stringify(
    asObjects(term['matchLabelExpressions'])
      .map((condition) => [asText(condition['key']), [...new Set(asStrings(condition['values']))].sort()])
      .sort(),
  );

function checkDistinctTerms(terms: unknown): readonly FieldError[] {
  const seen = new Set<string>();
  return asObjects(terms).flatMap((term, i) => {
    const own = identity(term);
    const known = seen.has(own);
    seen.add(own);
    return known ? [fieldError.duplicate(`allowedTopologies[${i}].matchLabelExpressions`, '')] : [];
  });
}

const fixed = ['parameters', 'provisioner', 'reclaimPolicy'] as const;

/** Volumes that there are were made by the class as it was: it cannot change any more. */
export const checkStorageClass: Check = (storageClass, { old }) => {
  const provisioner = asText(storageClass['provisioner']);
  return [
    ...(provisioner === '' ? [] : checkFormat('qualifiedName', 'provisioner', provisioner.toLowerCase())),
    ...checkParameters(storageClass['parameters']),
    ...checkDistinctTerms(storageClass['allowedTopologies']),
    ...(old === undefined
      ? []
      : fixed
          .filter((member) => !jsonEquals(storageClass[member] ?? null, old[member] ?? null))
          .map((member) => fieldError.forbidden(member, `updates to ${member} are forbidden.`))),
  ];
};
