import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { AggregationRule, PolicyRule } from './policy-rule.ts';
import { checkNamespacedRules } from './validation.ts';

export const Role = struct(
  'rbac.v1.Role',
  'Permissions within one namespace, which bindings grant to subjects.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    rules: f.list(2, PolicyRule, {
      doc: 'Rules whose permissions are combined.',
      presence: 'always',
      openapiRequired: false,
    }),
  },
  { typeMeta: true, checks: [checkNamespacedRules] },
);

export const ClusterRole = struct(
  'rbac.v1.ClusterRole',
  'Permissions in the whole cluster, or in the namespace of a binding.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    rules: f.list(2, PolicyRule, {
      doc: 'Rules whose permissions are combined. Maintained by a controller when the role is aggregated.',
      presence: 'always',
      openapiRequired: false,
    }),
    aggregationRule: f.struct(3, AggregationRule, {
      doc: 'Combines the rules of other roles, which overwrite the rules of this one.',
      presence: 'pointer',
    }),
  },
  { typeMeta: true },
);
