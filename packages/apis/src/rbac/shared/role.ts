import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { AggregationRule, PolicyRule } from './policy-rule.ts';
import { checkNamespacedRules } from './validation.ts';

export const Role = struct(
  'rbac.v1.Role',
  'Permissions within one namespace. They count for those to whom a binding gives them.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    rules: f.list(2, PolicyRule, {
      doc: 'What is allowed: whatever any of them allows.',
      presence: 'always',
      openapiRequired: false,
    }),
  },
  { typeMeta: true, checks: [checkNamespacedRules] },
);

export const ClusterRole = struct(
  'rbac.v1.ClusterRole',
  'Permissions in the whole cluster, or in whatever namespace a binding gives them for.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    rules: f.list(2, PolicyRule, {
      doc: 'What is allowed: whatever any of them allows. Kept by a controller when the role is aggregated.',
      presence: 'always',
      openapiRequired: false,
    }),
    aggregationRule: f.struct(3, AggregationRule, {
      doc: 'Makes the rules up from those of other roles; they are overwritten then.',
      presence: 'pointer',
    }),
  },
  { typeMeta: true },
);
