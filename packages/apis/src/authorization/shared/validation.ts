import { type ApiObject, type FieldError, fieldError } from '@orch/machinery';
import { asObject, asStrings, asText, type JsonObject, specOf } from '../../read.ts';

/** Members of metadata that clients write. */
const written: readonly string[] = [
  'name',
  'generateName',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
];

/** Reviews have no metadata: they are questions. */
function checkMetadata(review: ApiObject, mayHave: 'namespace' | 'nothing'): readonly FieldError[] {
  const { metadata } = review;
  const refused = mayHave === 'namespace' ? written : [...written, 'namespace'];
  const isEmpty = refused.every((member) => {
    const value = (metadata as JsonObject)[member];
    return value === undefined || value === '';
  });
  if (isEmpty) return [];
  const why = mayHave === 'namespace' ? 'must be empty except for namespace' : 'must be empty';
  return [fieldError.invalid('metadata', metadata, why)];
}

/** Exactly one kind of request. */
function checkAttributes(spec: JsonObject): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    return [fieldError.invalid('spec.resourceAttributes', null, why)];
  }
  if (resourceAttributes === undefined || nonResourceAttributes === undefined) return [];
  const why = 'cannot be specified in combination with resourceAttributes';
  return [fieldError.invalid('spec.nonResourceAttributes', nonResourceAttributes, why)];
}

function checkUser(spec: JsonObject): readonly FieldError[] {
  return asText(spec['user']) === '' && asStrings(spec['groups']).length === 0
    ? [fieldError.invalid('spec.user', '', 'at least one of user or group must be specified')]
    : [];
}

export const validateSelfReview = (review: ApiObject): readonly FieldError[] => [
  ...checkAttributes(specOf(review)),
  ...checkMetadata(review, 'nothing'),
];

export const validateReview = (review: ApiObject): readonly FieldError[] => [
  ...checkAttributes(specOf(review)),
  ...checkUser(specOf(review)),
  ...checkMetadata(review, 'nothing'),
];

/** A review of one namespace speaks of nothing outside. */
export function validateLocalReview(review: ApiObject): readonly FieldError[] {
  const spec = specOf(review);
  const { namespace = '' } = review.metadata;
  const { resourceAttributes, nonResourceAttributes } = spec;
  const elsewhere =
    resourceAttributes !== undefined && asText(asObject(resourceAttributes)['namespace']) !== namespace;
  return [
    ...checkAttributes(spec),
    ...checkUser(spec),
    ...checkMetadata(review, 'namespace'),
    ...(elsewhere
      ? [
          fieldError.invalid(
            'spec.resourceAttributes.namespace',
            asText(asObject(resourceAttributes)['namespace']),
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
