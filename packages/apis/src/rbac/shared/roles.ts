import { f, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { AggregationRule } from './policy-rule.ts';
import { checkNamespacedRules } from './validation.ts';

/** Both kinds of roles in a version, with the rules that it has. */
export const rolesOf = (version: string, rule: StructSchema) => ({
  Role: struct(
    `rbac.${version}.Role`,
    'Permissions within one namespace, which bindings grant to subjects.',
    {
      metadata: metadataField,
      rules: f.list(2, rule, {
        doc: 'Rules whose permissions are combined.',
        presence: 'always',
        openapiRequired: false,
      }),
    },
    { typeMeta: true, checks: [checkNamespacedRules] },
  ),
  ClusterRole: struct(
    `rbac.${version}.ClusterRole`,
    'Permissions in the whole cluster, or in the namespace of a binding.',
    {
      metadata: metadataField,
      rules: f.list(2, rule, {
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
  ),
});
