import type { SubjectAccessReview, SubjectAccessReviewSpec } from '@orch/kinds/authorization';
import { type FieldError, fieldError, type ObjectMeta } from '@orch/machinery';
import type { StrategyContext } from '../../resource-type.ts';

type Since = Pick<StrategyContext, 'since'>;

/** Fields of metadata that clients write. */
const written: readonly (keyof ObjectMeta)[] = [
  'name',
  'generateName',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
];

/** Checks that a review has no metadata: it is a question. */
function checkMetadata(
  { metadata }: SubjectAccessReview,
  mayHave: 'namespace' | 'nothing',
): readonly FieldError[] {
  const refused: readonly (keyof ObjectMeta)[] =
    mayHave === 'namespace' ? written : [...written, 'namespace'];
  const isEmpty = refused.every((name) => (metadata[name] ?? '') === '');
  if (isEmpty) return [];
  const why = mayHave === 'namespace' ? 'must be empty except for namespace' : 'must be empty';
  return [fieldError.invalid('metadata', metadata, why)];
}

/** Checks that there is exactly one kind of request. Before 1.37, the error is about one of the two. */
function checkAttributes(spec: SubjectAccessReviewSpec, { since }: Since): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const isOne = (resourceAttributes === undefined) !== (nonResourceAttributes === undefined);
  if (isOne) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const field = resourceAttributes === undefined ? 'spec.resourceAttributes' : 'spec.nonResourceAttributes';
  return [fieldError.invalid(since('1.37') ? 'spec' : field, nonResourceAttributes ?? null, why)];
}

function checkUser(spec: SubjectAccessReviewSpec): readonly FieldError[] {
  return (spec.user ?? '') === '' && (spec.groups ?? []).length === 0
    ? [fieldError.invalid('spec.user', '', 'at least one of user or group must be specified')]
    : [];
}

export const validateSelfReview = (
  review: SubjectAccessReview,
  _old: unknown,
  context: Since,
): readonly FieldError[] => [
  ...checkAttributes(review.spec ?? {}, context),
  ...checkMetadata(review, 'nothing'),
];

export const validateReview = (
  review: SubjectAccessReview,
  _old: unknown,
  context: Since,
): readonly FieldError[] => [
  ...checkAttributes(review.spec ?? {}, context),
  ...checkUser(review.spec ?? {}),
  ...checkMetadata(review, 'nothing'),
];

/** A review in a namespace cannot ask about anything outside of it. */
export function validateLocalReview(
  review: SubjectAccessReview,
  _old: unknown,
  context: Since,
): readonly FieldError[] {
  const spec = review.spec ?? {};
  const { namespace = '' } = review.metadata;
  const { resourceAttributes, nonResourceAttributes } = spec;
  const elsewhere = resourceAttributes !== undefined && (resourceAttributes?.namespace ?? '') !== namespace;
  return [
    ...checkAttributes(spec, context),
    ...checkUser(spec),
    ...checkMetadata(review, 'namespace'),
    ...(elsewhere
      ? [
          fieldError.invalid(
            'spec.resourceAttributes.namespace',
            resourceAttributes?.namespace ?? '',
            'must match metadata.namespace',
          ),
        ]
      : []),
    ...(nonResourceAttributes === undefined
      ? []
      : [
          fieldError.invalid(
            'spec.nonResourceAttributes',
            nonResourceAttributes,
            'disallowed on this kind of request',
          ),
        ]),
  ];
}
