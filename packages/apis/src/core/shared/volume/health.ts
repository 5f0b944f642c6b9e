import type { VolumeHealthStatus } from '@orch/kinds/core';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';

const MAX_CONDITIONS = 16;
const MAX_REASON_BYTES = 256;
const MAX_MESSAGE_BYTES = 1024;

const VolumeHealthCondition = struct('core.v1.VolumeHealthCondition', 'What is wrong with a volume.', {
  status: f.string(1, { doc: 'Inaccessible, DataLoss or Degraded.', presence: 'always', required: true }),
  reason: f.string(2, {
    doc: 'Machine-readable reason, in CamelCase.',
    presence: 'always',
    required: true,
    maxBytes: MAX_REASON_BYTES,
    format: 'conditionReason',
  }),
  message: f.string(3, { doc: 'Human-readable details.', maxBytes: MAX_MESSAGE_BYTES }),
});

/** Checks that no two conditions have the same status and reason. */
const checkHealthConditions: Check<VolumeHealthStatus> = ({ healthConditions = [] }, { path }) => {
  const keys = healthConditions.map(({ status = '', reason = '' }) => `${status} ${reason}`);
  return keys.flatMap((key, i) =>
    keys.indexOf(key) < i ? [fieldError.duplicate(`${path}.healthConditions[${i}]`, key)] : [],
  );
};

/** What is wrong with a volume, with the Protobuf number of the list; that of the time follows. */
const healthFields = (num: number) => ({
  healthConditions: f.list(num, VolumeHealthCondition, {
    doc: 'What is wrong with it, by status and reason; healthy when empty.',
    listType: 'map',
    mapKeys: ['status', 'reason'],
    patchStrategy: 'merge',
    patchMergeKey: 'status',
    maxItems: MAX_CONDITIONS,
  }),
  lastTransitionTime: f.time(num + 1, { doc: 'When the conditions last changed.', presence: 'always' }),
});

export const VolumeHealth = struct(
  'core.v1.VolumeHealthStatus',
  'Health of the volume of a claim, as its driver reports it.',
  healthFields(1),
  { checks: [checkHealthConditions] },
);

export const PodVolumeHealth = struct(
  'core.v1.PodVolumeHealth',
  'Health of a volume of a pod, as its driver reports it.',
  {
    name: f.string(1, { doc: 'Name of the volume in the pod.', presence: 'always', required: true }),
    ...healthFields(2),
  },
  { checks: [checkHealthConditions] },
);
