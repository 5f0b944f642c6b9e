import { f, struct } from '@orch/schema';

export const Condition = struct(
  'meta.v1.Condition',
  'One aspect of the state of an object, at its latest observation.',
  {
    type: f.string(1, {
      doc: 'Type of the condition; CamelCase, with a domain prefix when it is not a common one.',
      presence: 'always',
      required: true,
      format: 'qualifiedName',
    }),
    status: f.string(2, {
      doc: 'Whether it holds: True, False or Unknown.',
      presence: 'always',
      required: true,
      enum: ['False', 'True', 'Unknown'],
      openapiEnum: 'never',
    }),
    observedGeneration: f.int64(3, {
      doc: 'Generation of the object that the condition was derived from.',
      min: 0,
    }),
    lastTransitionTime: f.time(4, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
      required: true,
      openapiRequired: true,
    }),
    reason: f.string(5, {
      doc: 'Machine-readable reason, in CamelCase.',
      presence: 'always',
      required: true,
      format: 'conditionReason',
    }),
    message: f.string(6, { doc: 'Human-readable details.', presence: 'always', maxBytes: 32_768 }),
  },
);
