import { type FieldOptions, f, type StructSchema, struct } from '@orch/schema';

/** Limit of the conditions of a policy or a webhook. */
export const MAX_CONDITIONS = 64;

const matchConditionOf = (version: string): StructSchema =>
  struct(`admissionregistration.${version}.MatchCondition`, 'An expression that a request must satisfy.', {
    name: f.string(1, {
      doc: 'Name of the condition in errors and logs.',
      presence: 'always',
      required: true,
      format: 'qualifiedName',
    }),
    expression: f.string(2, {
      doc: 'An expression over `object`, `oldObject`, `request` and `authorizer` that is true or false.',
      presence: 'always',
      required: true,
    }),
  });

/** A condition; each version has a separate struct, which webhooks and policies share. */
export const matchConditionIn = {
  v1: matchConditionOf('v1'),
  v1beta1: matchConditionOf('v1beta1'),
  v1alpha1: matchConditionOf('v1alpha1'),
} as const;

/** The field with the conditions. */
export const matchConditions = (
  num: number,
  condition: StructSchema,
  life: Pick<FieldOptions, 'since' | 'gate'>,
) =>
  f.list(num, condition, {
    doc: 'Expressions that must all hold for a request, beyond the rules.',
    listType: 'map',
    mapKeys: ['name'],
    patchStrategy: 'merge',
    patchMergeKey: 'name',
    maxItems: MAX_CONDITIONS,
    uniqueBy: 'name',
    ...life,
  });
