import { type FieldError, fieldError } from '@orch/machinery';
import { exactInteger } from '@orch/machinery/json';
import { type Check, type FieldOptions, f, type StructSchema, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { checkUuid, exactlyOneOf } from '../../validation-rules.ts';

const MAX_CONDITIONS = 100;

/** Checks a name with a domain before a slash, whose other rules are those of a label. */
export const checkPrefixed =
  (field: string): Check =>
  (value, { path }) => {
    const name = value[field];
    return typeof name !== 'string' || name === '' || name.includes('/')
      ? []
      : [fieldError.invalid(`${path}.${field}`, name, 'must have a domain before a slash')];
  };

export const prefixedField = (num: number, doc: string, options: FieldOptions = {}) =>
  f.string(num, { doc, presence: 'always', required: true, format: 'qualifiedName', ...options });

const checkUid: Check<{ readonly uid?: string }> = ({ uid = '' }, { path }) =>
  uid === '' ? [] : checkUuid(`${path}.uid`, uid);

/** The target of an eviction, or of a request for one; each has separate structs. */
export function targetOf(prefix: string): StructSchema {
  const PodReference = struct(
    `lifecycle.v1alpha1.${prefix}PodReference`,
    'A pod in the same namespace.',
    {
      name: f.string(1, {
        doc: 'Name of the pod.',
        presence: 'always',
        required: true,
        format: 'dns1123subdomain',
      }),
      uid: f.string(2, { doc: 'Identity of the pod, a UUID.', presence: 'always', required: true }),
    },
    { checks: [checkUid] },
  );
  return struct(
    `lifecycle.v1alpha1.${prefix}Target`,
    'The object that is evicted.',
    {
      pod: f.struct(1, PodReference, {
        doc: 'A pod; groups of pods are not evicted this way.',
        presence: 'pointer',
      }),
    },
    { checks: [exactlyOneOf('pod')] },
  );
}

export const intents = ['Eviction', 'Withdrawn'] as const;

const intentDoc = 'Whether the eviction is wanted (Eviction), or no longer (Withdrawn).';

export const intentField = (num: number) =>
  f.string(num, { doc: intentDoc, presence: 'always', required: true, enum: intents });

/** The generation that a controller has observed; it does not decrease. */
export const checkObserved: Check<{ readonly observedGeneration?: unknown }> = (
  { observedGeneration: next },
  { path, old },
): readonly FieldError[] => {
  const at = `${path}.observedGeneration`;
  const [observed, before] = [exactInteger(next), exactInteger(old?.observedGeneration)];
  if (before === undefined) return [];
  if (observed === undefined) return [fieldError.invalid(at, null, 'field cannot be cleared once set')];
  return observed < before ? [fieldError.invalid(at, next, `may not be decreased from ${before}`)] : [];
};

/** The fields that the statuses of both kinds have. */
export const statusFields = {
  conditions: f.list(1, Condition, {
    doc: 'TargetEvicted and Failed.',
    listType: 'map',
    mapKeys: ['type'],
    patchStrategy: 'merge',
    patchMergeKey: 'type',
    maxItems: MAX_CONDITIONS,
  }),
  observedGeneration: f.int64(2, {
    doc: 'Generation of the object that the controller has observed.',
    presence: 'pointer',
    min: 1,
  }),
};
