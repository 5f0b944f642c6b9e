import { f, items, struct } from '@orch/schema';
import { checkFailureRule, checkOnExitCodes } from './validation/pod-failure-policy.ts';

export const PodFailurePolicyOnExitCodesRequirement = struct(
  'batch.v1.PodFailurePolicyOnExitCodesRequirement',
  'Matches the exit codes of failed containers.',
  {
    containerName: f.string(1, {
      doc: 'Container whose exit code counts; that of any container when absent.',
      presence: 'pointer',
    }),
    operator: f.string(2, {
      doc: 'In or NotIn: whether the exit code is one of the values.',
      presence: 'always',
      required: true,
      enum: ['In', 'NotIn'],
    }),
    values: f.list(3, items.int32, {
      doc: 'The exit codes in rising order, at most 255 of them.',
      presence: 'always',
      listType: 'set',
      maxItems: 255,
    }),
  },
  { checks: [checkOnExitCodes] },
);

export const PodFailurePolicyOnPodConditionsPattern = struct(
  'batch.v1.PodFailurePolicyOnPodConditionsPattern',
  'Matches a condition of the failed pod.',
  {
    type: f.string(1, {
      doc: 'Type of the condition.',
      presence: 'always',
      required: true,
      format: 'qualifiedName',
    }),
    status: f.string(2, {
      doc: 'True, False or Unknown: the status that the condition has; True when empty.',
      presence: 'always',
      default: 'True',
      openapiRequired: { since: '1.35', is: false },
      enum: ['False', 'True', 'Unknown'],
      openapiEnum: 'never',
    }),
  },
);

export const PodFailurePolicyRule = struct(
  'batch.v1.PodFailurePolicyRule',
  'What happens to the job when a pod fails in this way. A rule matches either exit codes or conditions.',
  {
    action: f.string(1, {
      doc: 'FailJob ends the job, FailIndex the index, Ignore starts another pod without counting the failure, Count counts it.',
      presence: 'always',
      required: true,
      enum: ['Count', 'FailIndex', 'FailJob', 'Ignore'],
      openapiEnum: { formerly: { before: '1.28', values: ['Count', 'FailJob', 'Ignore'] } },
    }),
    onExitCodes: f.struct(2, PodFailurePolicyOnExitCodesRequirement, {
      doc: 'The rule is for failures with these exit codes.',
      presence: 'always',
      omittedSince: '1.28',
      nullable: true,
      openapiRequired: false,
    }),
    onPodConditions: f.list(3, PodFailurePolicyOnPodConditionsPattern, {
      doc: 'The rule is for pods with one of these conditions.',
      presence: 'always',
      omittedSince: '1.28',
      listType: 'atomic',
      openapiRequired: false,
      maxItems: 20,
    }),
  },
  { checks: [checkFailureRule] },
);

export const PodFailurePolicy = struct(
  'batch.v1.PodFailurePolicy',
  'What happens to the job when a pod fails; the first rule that matches is applied.',
  {
    rules: f.list(1, PodFailurePolicyRule, {
      doc: 'The rules in their order, at most 20 of them.',
      presence: 'always',
      listType: 'atomic',
      maxItems: 20,
    }),
  },
);
