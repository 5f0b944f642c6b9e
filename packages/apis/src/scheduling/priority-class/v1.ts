import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { checkPriorityClass } from './validation.ts';

export const PriorityClass = struct(
  'scheduling.v1.PriorityClass',
  'Names a priority, so that pods can ask for it by name.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    value: f.int32(2, {
      doc: 'The priority: pods of a higher one come first. It cannot change.',
      presence: 'always',
    }),
    globalDefault: f.bool(3, {
      doc: 'Whether pods that name no class get this one. There is one such class at most.',
    }),
    description: f.string(4, { doc: 'When to use the class, for people.' }),
    preemptionPolicy: f.string(5, {
      doc: 'Whether less important pods may be removed for those of the class: PreemptLowerPriority or Never.',
      presence: 'pointer',
      default: 'PreemptLowerPriority',
      enum: ['PreemptLowerPriority', 'Never'],
      immutable: true,
      since: '1.19',
      gate: 'NonPreemptingPriority',
    }),
  },
  { typeMeta: true, checks: [checkPriorityClass] },
);
