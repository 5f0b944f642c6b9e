import type { VolumeHealthStatus } from '@orch/kinds/core';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';
import { healthReason, MAX_HEALTH_CONDITIONS } from '../../../meta/health-condition.ts';

const VolumeHealthCondition = struct('core.v1.VolumeHealthCondition', 'What is wrong with a volume.', {
  status: f.string(1, {
    doc: 'Inaccessible, DataLoss or Degraded.',
    openapiEnum: { values: ['DataLoss', 'Degraded', 'Inaccessible'] },
    presence: 'always',
    required: true,
  }),
  ...healthReason,
});

/** Checks that no two conditions have the same status and reason. */
const checkHealthConditions: Check<VolumeHealthStatus> = ({ healthConditions = [] }, { path }) => {
  const keys = healthConditions.map(({ status = '', reason = '' }) => `${status} ${reason}`);
  return keys.flatMap((key, i) =>
    keys.indexOf(key) < i ? [fieldError.duplicate(`${path}.healthConditions[${i}]`, key)] : [],
  );
};

/** The health fields, from the Protobuf number of the list on. */
const healthFields = (num: number) => ({
  healthConditions: f.list(num, VolumeHealthCondition, {
    doc: 'What is wrong with it, by status and reason; healthy when empty.',
    listType: 'map',
    mapKeys: ['status', 'reason'],
    patchStrategy: 'merge',
    patchMergeKey: 'status',
    maxItems: MAX_HEALTH_CONDITIONS,
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
