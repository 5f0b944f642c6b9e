import { f, items, type StructSchema, struct } from '@orch/schema';
import { LabelSelectorRequirement } from '../../meta/label-selector.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import { checkFieldRequirement, checkSelectorAttributes } from './selector-validation.ts';

const FieldSelectorRequirement = struct(
  'meta.v1.FieldSelectorRequirement',
  'A condition on a field.',
  {
    key: f.string(1, { doc: 'The field.', presence: 'always' }),
    operator: f.string(2, { doc: 'In, NotIn, Exists or DoesNotExist.', presence: 'always' }),
    values: f.list(3, items.string, { doc: 'Values, for In and NotIn.', listType: 'atomic' }),
  },
  { checks: [checkFieldRequirement] },
);

const rawSelector = f.string(1, { doc: 'The selector as text, in place of requirements.' });

const FieldSelectorAttributes = struct(
  'authorization.v1.FieldSelectorAttributes',
  'Fields that limit a request.',
  {
    rawSelector,
    requirements: f.list(2, FieldSelectorRequirement, {
      doc: 'Conditions, all of which hold.',
      listType: 'atomic',
    }),
  },
  { checks: [checkSelectorAttributes] },
);

const LabelSelectorAttributes = struct(
  'authorization.v1.LabelSelectorAttributes',
  'Labels that limit a request.',
  {
    rawSelector,
    requirements: f.list(2, LabelSelectorRequirement, {
      doc: 'Conditions, all of which hold.',
      listType: 'atomic',
    }),
  },
  { checks: [checkSelectorAttributes] },
);

export const ResourceAttributes = struct('authorization.v1.ResourceAttributes', 'A request for a resource.', {
  namespace: f.string(1, {
    doc: 'Namespace of the request; empty for cluster-scoped resources, and for all namespaces.',
  }),
  verb: f.string(2, { doc: 'get, list, watch, create, update, patch, delete, or `*` for all.' }),
  group: f.string(3, { doc: 'Group of the resource; `*` for all.' }),
  version: f.string(4, { doc: 'Version of the resource; `*` for all.' }),
  resource: f.string(5, { doc: 'Name of the resource; `*` for all.' }),
  subresource: f.string(6, { doc: 'Subresource, if any.' }),
  name: f.string(7, { doc: 'Name of the object; empty for all.' }),

  fieldSelector: f.struct(8, FieldSelectorAttributes, {
    doc: 'Fields that limit the request.',
    presence: 'pointer',
    since: '1.32',
    gate: 'AuthorizeWithSelectors',
  }),
  labelSelector: f.struct(9, LabelSelectorAttributes, {
    doc: 'Labels that limit the request.',
    presence: 'pointer',
    since: '1.32',
    gate: 'AuthorizeWithSelectors',
  }),
});

export const NonResourceAttributes = struct(
  'authorization.v1.NonResourceAttributes',
  'Path and verb of the request.',
  {
    path: f.string(1, { doc: 'Path of the request.' }),
    verb: f.string(2, { doc: 'Method of the request in lower case.' }),
  },
);

/** The fields of every question about a request. */
const requestFields = {
  resourceAttributes: f.struct(1, ResourceAttributes, {
    doc: 'A request for a resource; this or nonResourceAttributes.',
    presence: 'pointer',
  }),
  nonResourceAttributes: f.struct(2, NonResourceAttributes, {
    doc: 'A request for a path that is not a resource.',
    presence: 'pointer',
  }),
} as const;

/** The question about another user; `groups` was formerly called `group`. */
export const subjectAccessReviewSpecOf = (version: string, groups: 'groups' | 'group'): StructSchema =>
  struct(`authorization.${version}.SubjectAccessReviewSpec`, 'The user and the request to check.', {
    ...requestFields,
    user: f.string(3, {
      doc: 'Name of the user. When only groups are set, the review applies to any user of these groups.',
    }),
    [groups]: f.list(4, items.string, { doc: 'Groups of the user.' }),
    extra: f.map(5, { kind: 'list', items: items.string }, { doc: 'Additional attributes of the user.' }),
    uid: f.string(6, { doc: 'Identity of the user.' }),
  });

export const SelfSubjectAccessReviewSpec = struct(
  'authorization.v1.SelfSubjectAccessReviewSpec',
  'The request of the requesting user to check.',
  requestFields,
);

export const SubjectAccessReviewStatus = struct(
  'authorization.v1.SubjectAccessReviewStatus',
  'Whether the request would be allowed.',
  {
    allowed: f.bool(1, { doc: 'Whether it would be allowed.', presence: 'always' }),
    denied: f.bool(4, {
      doc: 'Whether an authorizer denies it. A request that is neither allowed nor denied is rejected.',
    }),
    reason: f.string(2, { doc: 'Why.' }),
    evaluationError: f.string(3, {
      doc: 'Errors of the evaluation; the result may be valid nevertheless.',
    }),
  },
);

/** A review: a question in its spec, and the answer in its status. */
export const reviewOf = (
  name: string,
  doc: string,
  { spec, status }: { readonly spec: StructSchema; readonly status: StructSchema },
): StructSchema =>
  struct(
    `authorization.${name}`,
    doc,
    {
      metadata: metadataField,
      spec: f.struct(2, spec, { doc: 'Request of the review.', presence: 'always', openapiRequired: true }),
      status: f.struct(3, status, { doc: 'Result of the review.', presence: 'always' }),
    },
    { typeMeta: true },
  );
