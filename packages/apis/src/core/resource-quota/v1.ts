import { f, items, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';

const scopes = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
];
/** The scopes that documents list. */
const publishedScopes = {
  values: [...scopes, 'VolumeAttributesClass'],
  formerly: { before: '1.33', values: scopes },
};

export const ScopedResourceSelectorRequirement = struct(
  'core.v1.ScopedResourceSelectorRequirement',
  'One condition on what a quota counts.',
  {
    scopeName: f.string(1, {
      doc: 'Scope that the condition applies to.',
      presence: 'always',
      openapiEnum: publishedScopes,
    }),
    operator: f.string(2, {
      doc: 'In, NotIn, Exists or DoesNotExist.',
      presence: 'always',
      openapiEnum: { values: ['DoesNotExist', 'Exists', 'In', 'NotIn'] },
    }),
    values: f.list(3, items.string, { doc: 'Values for In and NotIn.' }),
  },
);

export const ScopeSelector = struct(
  'core.v1.ScopeSelector',
  'Conditions on what a quota counts; all must hold.',
  {
    matchExpressions: f.list(1, ScopedResourceSelectorRequirement, { doc: 'The conditions.' }),
  },
  { mapType: 'atomic' },
);

export const ResourceQuotaSpec = struct(
  'core.v1.ResourceQuotaSpec',
  'Bounds on the total usage of a namespace.',
  {
    hard: f.map(1, items.quantity, { doc: 'Upper bound by resource.' }),
    scopes: f.list(2, items.string, {
      doc: 'Counts only objects that are in all these scopes.',
      openapiEnum: { since: '1.30', ...publishedScopes },
    }),
    scopeSelector: f.struct(3, ScopeSelector, {
      doc: 'Counts only objects that satisfy these conditions.',
      presence: 'pointer',
    }),
  },
);

export const ResourceQuotaStatus = struct('core.v1.ResourceQuotaStatus', 'Usage of a quota.', {
  hard: f.map(1, items.quantity, { doc: 'Bounds that are enforced.' }),
  used: f.map(2, items.quantity, { doc: 'Current usage.' }),
});

export const ResourceQuota = struct(
  'core.v1.ResourceQuota',
  'Bounds on the total usage of all objects of a namespace.',
  {
    metadata: metadataField,
    spec: specField(ResourceQuotaSpec),
    status: statusField(ResourceQuotaStatus),
  },
  { typeMeta: true },
);
