import { f, struct } from '@orch/schema';

export const SuccessPolicyRule = struct(
  'batch.v1.SuccessPolicyRule',
  'The job has succeeded with these indexes, or this number of them.',
  {
    succeededIndexes: f.string(1, {
      doc: 'Indexes that must succeed, such as `1,3-5`.',
      presence: 'pointer',
      maxBytes: 65_536,
    }),
    succeededCount: f.int32(2, { doc: 'How many of them must succeed.', presence: 'pointer', min: 0 }),
  },
);

export const SuccessPolicy = struct(
  'batch.v1.SuccessPolicy',
  'When a job has succeeded: when one rule matches.',
  {
    rules: f.list(1, SuccessPolicyRule, {
      doc: 'The rules, at most 20 of them.',
      presence: 'always',
      required: true,
      listType: 'atomic',
      maxItems: 20,
    }),
  },
);
