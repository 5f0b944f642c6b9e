import { f, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { checkPriorityClass } from './validation.ts';

export const PriorityClass = struct(
  'scheduling.v1.PriorityClass',
  'A named priority that pods can select.',
  {
    metadata: metadataField,
    value: f.int32(2, {
      doc: 'The priority: pods of a higher one come first. It cannot change.',
      presence: 'always',
      openapiRequired: { since: '1.36', is: false },
    }),
    globalDefault: f.bool(3, {
      doc: 'Whether this is the class of pods that name none. There is at most one such class.',
    }),
    description: f.string(4, { doc: 'Human-readable description of the use of the class.' }),
    preemptionPolicy: f.string(5, {
      doc: 'Whether less important pods may be removed for those of the class: PreemptLowerPriority or Never.',
      presence: 'pointer',
      default: 'PreemptLowerPriority',
      enum: ['Never', 'PreemptLowerPriority'],
      openapiEnum: { since: '1.27' },
      immutable: true,
      validatedOnCreate: true,
      since: '1.19',
      gate: 'NonPreemptingPriority',
    }),
  },
  { typeMeta: true, checks: [checkPriorityClass] },
);
