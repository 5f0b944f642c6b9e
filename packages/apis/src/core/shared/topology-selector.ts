import { f, items, struct } from '@orch/schema';
import { checkTopologyTerm } from './validation/topology-selector.ts';

export const TopologySelectorLabelRequirement = struct(
  'core.v1.TopologySelectorLabelRequirement',
  'Limits a label of nodes to some values.',
  {
    key: f.string(1, { doc: 'Label that the condition speaks of.', presence: 'always' }),
    values: f.list(2, items.string, { doc: 'Values that it may have.', presence: 'always', required: true }),
  },
);

export const TopologySelectorTerm = struct(
  'core.v1.TopologySelectorTerm',
  'Conditions on labels of nodes that must all hold.',
  {
    matchLabelExpressions: f.list(1, TopologySelectorLabelRequirement, { doc: 'The conditions.' }),
  },
  { mapType: 'atomic', checks: [checkTopologyTerm] },
);
