import type { TopologySelectorTerm } from '@orch/kinds/core';
import type { StorageClass } from '@orch/kinds/storage';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { problemsOf } from '@orch/machinery/object-meta';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../validation-rules.ts';
import { checkParameters } from '../shared/parameters.ts';

/** A term as text that is the same for equivalent terms. */
const identity = (term: TopologySelectorTerm): string =>
  JSON.stringify(
    (term.matchLabelExpressions ?? [])
      .map((condition) => [condition.key ?? '', [...new Set(condition.values ?? [])].sort()])
      .sort(),
  );

/** Checks that terms are distinct; one without conditions is reported as a duplicate, too. */
function checkDistinctTerms(terms: readonly TopologySelectorTerm[] = []): readonly FieldError[] {
  const seen = new Set<string>();
  return problemsOf(terms, (term, i) => {
    const own = identity(term);
    const known = seen.has(own) || own === '[]';
    seen.add(own);
    return known ? [fieldError.duplicate(`allowedTopologies[${i}].matchLabelExpressions`, '')] : [];
  });
}

const fixed = ['parameters', 'provisioner', 'reclaimPolicy'] as const;

/** A class cannot change, since existing volumes were created from it. */
export const checkStorageClass: Check<StorageClass> = (storageClass, { old, since }) => {
  const provisioner = storageClass.provisioner ?? '';
  return [
    ...(provisioner === '' ? [] : checkFormat('qualifiedName', 'provisioner', provisioner.toLowerCase())),
    ...checkParameters(storageClass.parameters),
    ...checkDistinctTerms(storageClass.allowedTopologies),
    ...(old === undefined
      ? []
      : fixed
          .filter((field) => !jsonEquals(storageClass[field] ?? null, old[field] ?? null))
          .map((field) =>
            since('1.36')
              ? fieldError.invalid(field, storageClass[field], 'field is immutable')
              : fieldError.forbidden(field, `updates to ${field} are forbidden.`),
          )),
  ];
};
