import type { DeviceToleration } from '@orch/kinds/resource';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';
import { checkFormat } from '../../../validation-rules.ts';
import { formatted } from './required.ts';

const MAX_TAINTS = 16;
const effects = ['NoExecute', 'NoSchedule', 'None'] as const;
const openapiEnum = { formerly: { before: '1.35', values: ['NoExecute', 'NoSchedule'] } };
const gate = { gate: 'DRADeviceTaints', since: '1.36' } as const;

export const DeviceTaint = struct(
  'resource.v1.DeviceTaint',
  'Repels claims, and the pods that use them, unless they tolerate it.',
  {
    key: f.string(1, { doc: 'Key of the taint, a label name.', presence: 'always' }),
    value: f.string(2, { doc: 'Value of the taint, a label value.', format: 'labelValue' }),
    effect: f.string(3, {
      doc: 'NoSchedule, NoExecute, or None, which only informs.',
      presence: 'always',
      required: true,
      enum: effects,
      openapiEnum,
    }),
    timeAdded: f.time(4, {
      doc: 'When the taint was added; the server sets it when it is absent.',
      presence: 'pointer',
    }),
  },
  { checks: [formatted('key', 'qualifiedName')] },
);

const checkToleration: Check<DeviceToleration> = ({ operator, value = '' }, { path }) => {
  if (operator === 'Equal') return checkFormat('labelValue', `${path}.value`, value);
  return operator === 'Exists' && value !== ''
    ? [fieldError.invalid(`${path}.value`, value, 'must be empty for operator `Exists`')]
    : [];
};

const Toleration = struct(
  'resource.v1.DeviceToleration',
  'Tolerates the taints that it matches.',
  {
    key: f.string(1, { doc: 'Key of the taints; all keys when empty.', format: 'qualifiedName' }),
    operator: f.string(2, {
      doc: 'Exists, or Equal, which compares the value.',
      default: 'Equal',
      enum: ['Equal', 'Exists'],
    }),
    value: f.string(3, { doc: 'Value of the taints; empty for Exists.' }),
    effect: f.string(4, { doc: 'Effect of the taints; all effects when empty.', enum: effects, openapiEnum }),
    tolerationSeconds: f.int64(5, {
      doc: 'How long NoExecute is tolerated, in seconds; forever when absent.',
      presence: 'pointer',
    }),
  },
  { checks: [checkToleration] },
);

export const tolerationsField = (num: number) =>
  f.list(num, Toleration, {
    doc: 'Taints that the devices may have.',
    listType: 'atomic',
    ...gate,
  });

export const taintsField = (num: number) =>
  f.list(num, DeviceTaint, {
    doc: 'Taints of the device.',
    listType: 'atomic',
    maxItems: MAX_TAINTS,
    ...gate,
  });
