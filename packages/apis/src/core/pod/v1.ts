import { struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { derivePod } from '../shared/pod-spec/defaults.ts';
import { PodSpec } from '../shared/pod-spec/spec.ts';
import { PodStatus } from './status.ts';

export const Pod = struct(
  'core.v1.Pod',
  'A group of containers that run together on one node, sharing its network address and volumes.',
  {
    metadata: metadataField,
    spec: specField(PodSpec),
    status: statusField(PodStatus),
  },
  { typeMeta: true, derive: derivePod },
);
