import { f, items, type StructSchema, struct } from '@orch/schema';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { RuleWithOperations } from '../rule.ts';
import { type PolicyVersion, structName } from './policy-version.ts';

const namedRuleOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'NamedRuleWithOperations'),
    'Operations and resources, optionally by name, that a policy applies to.',
    {
      resourceNames: f.list(1, items.string, {
        doc: 'Names of the objects; all when empty.',
        listType: 'atomic',
        format: 'pathSegment',
        uniqueBy: '',
        uniqueWithEmpty: true,
      }),
      rule: f.inline(2, RuleWithOperations, { protoName: 'ruleWithOperations' }),
    },
    { mapType: 'atomic' },
  );

export function matchResourcesOf(version: PolicyVersion): StructSchema {
  const rule = namedRuleOf(version);
  return struct(
    structName(version, 'MatchResources'),
    'Requests that a policy, or its binding, applies to.',
    {
      namespaceSelector: f.struct(1, LabelSelector, {
        doc: 'Labels of the namespaces of matching objects.',
        presence: 'pointer',
        default: {},
      }),
      objectSelector: f.struct(2, LabelSelector, {
        doc: 'Labels that the old or the new object must have. Users can set any labels, so this is not a protection.',
        presence: 'pointer',
        default: {},
      }),
      resourceRules: f.list(3, rule, {
        doc: 'Requests that match one of these are included.',
        listType: 'atomic',
      }),
      excludeResourceRules: f.list(4, rule, {
        doc: 'Requests that match one of these are excluded, regardless of the other rules.',
        listType: 'atomic',
      }),
      matchPolicy: f.string(7, {
        doc: 'Exact applies rules literally; Equivalent also includes the same resource under another group or version.',
        presence: 'pointer',
        default: 'Equivalent',
        enum: ['Equivalent', 'Exact'],
        openapiEnum: version === 'v1beta1' ? 'never' : { since: '1.27' },
        emptyIsInvalid: true,
      }),
    },
    { mapType: 'atomic' },
  );
}
