import { f, items, type StructSchema, struct } from '@orch/schema';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { RuleWithOperations } from '../rule.ts';
import { type PolicyVersion, structName } from './policy-version.ts';

const namedRuleOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'NamedRuleWithOperations'),
    'Which operations on which resources, by name if need be, a policy is about.',
    {
      resourceNames: f.list(1, items.string, {
        doc: 'Names of the objects; all when empty.',
        listType: 'atomic',
        format: 'pathSegment',
        uniqueBy: '',
      }),
      rule: f.inline(2, RuleWithOperations, { protoName: 'ruleWithOperations' }),
    },
  );

export function matchResourcesOf(version: PolicyVersion): StructSchema {
  const rule = namedRuleOf(version);
  return struct(structName(version, 'MatchResources'), 'Which requests a policy, or its binding, is about.', {
    namespaceSelector: f.struct(1, LabelSelector, {
      doc: 'Labels of the namespaces whose objects are meant.',
      presence: 'pointer',
      default: {},
    }),
    objectSelector: f.struct(2, LabelSelector, {
      doc: 'Labels that the old or the new object must have. Users set labels as they like, so this protects nothing.',
      presence: 'pointer',
      default: {},
    }),
    resourceRules: f.list(3, rule, {
      doc: 'Requests that match one of these are meant.',
      listType: 'atomic',
    }),
    excludeResourceRules: f.list(4, rule, {
      doc: 'Requests that match one of these are not meant, whatever the other rules say.',
      listType: 'atomic',
    }),
    matchPolicy: f.string(7, {
      doc: 'Exact takes rules by the letter; Equivalent also means the same resource under another group or version.',
      presence: 'pointer',
      default: 'Equivalent',
      enum: ['Equivalent', 'Exact'],
    }),
  });
}
