import { f, items, struct } from '@orch/schema';
import { checkNodeSelectorTerm } from './validation/scheduling.ts';

export const NodeSelectorRequirement = struct(
  'core.v1.NodeSelectorRequirement',
  'One condition on a label or field of nodes.',
  {
    key: f.string(1, {
      doc: 'Label or field that the condition applies to.',
      presence: 'always',
    }),
    operator: f.string(2, {
      doc: 'In, NotIn, Exists, DoesNotExist, Gt or Lt.',
      presence: 'always',
      openapiEnum: { values: ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'] },
    }),
    values: f.list(3, items.string, {
      doc: 'Values to compare with: some for In and NotIn, none for Exists and DoesNotExist, one number for Gt and Lt.',
    }),
  },
);

export const NodeSelectorTerm = struct(
  'core.v1.NodeSelectorTerm',
  'Conditions on nodes that must all hold. Without any it selects no node.',
  {
    matchExpressions: f.list(1, NodeSelectorRequirement, { doc: 'Conditions on labels.' }),
    matchFields: f.list(2, NodeSelectorRequirement, { doc: 'Conditions on fields.' }),
  },
  { mapType: 'atomic', checks: [checkNodeSelectorTerm] },
);

export const NodeSelector = struct(
  'core.v1.NodeSelector',
  'Selects the nodes that satisfy at least one of its terms.',
  {
    nodeSelectorTerms: f.list(1, NodeSelectorTerm, { doc: 'The terms.', presence: 'always', required: true }),
  },
  { mapType: 'atomic' },
);
