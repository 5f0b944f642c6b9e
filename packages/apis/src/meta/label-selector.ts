import { f, items, struct } from '@orch/schema';
import { checkMatchLabels, checkSelectorRequirement } from './validation.ts';

export const LabelSelectorRequirement = struct(
  'meta.v1.LabelSelectorRequirement',
  'One condition on the values of a label key.',
  {
    key: f.string(1, {
      doc: 'Label that the condition applies to.',
      presence: 'always',
      patchStrategy: 'merge',
      patchMergeKey: 'key',
      patchShownUntil: '1.28',
    }),
    operator: f.string(2, {
      doc: 'How the values relate: In, NotIn, Exists or DoesNotExist.',
      presence: 'always',
    }),
    values: f.list(3, items.string, { doc: 'Values for In and NotIn; empty for the other two.' }),
  },
  { checks: [checkSelectorRequirement] },
);

export const LabelSelector = struct(
  'meta.v1.LabelSelector',
  'Selects objects by label. Everything in it must hold; an empty selector selects everything, an absent one nothing.',
  {
    matchLabels: f.map(1, items.string, { doc: 'Labels that must be present with exactly these values.' }),
    matchExpressions: f.list(2, LabelSelectorRequirement, { doc: 'Conditions on labels.' }),
  },
  { mapType: 'atomic', checks: [checkMatchLabels] },
);
