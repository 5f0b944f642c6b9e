import { asObjects } from '@orch/machinery';
import { type Derive, f, jsonAnnotation, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import type * as autoscaling from '../../types/autoscaling.ts';
import type { Draft } from '../../types/draft.ts';
import { annotationKeys } from './annotations.ts';
import { DEFAULT_CPU_UTILIZATION } from './defaults.ts';
import { boundsOfReplicas, statusOfReplicas } from './v2.ts';

export const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v1.HorizontalPodAutoscalerSpec',
  'What is scaled and within which bounds. Metrics beside processor time stand in an annotation.',
  {
    ...boundsOfReplicas,
    targetCPUUtilizationPercentage: f.int32(4, {
      doc: 'Wanted use of processor time, in percent of what the pods request; 80 when nothing else is asked for.',
      presence: 'pointer',
    }),
  },
);

export const HorizontalPodAutoscalerStatus = struct(
  'autoscaling.v1.HorizontalPodAutoscalerStatus',
  'What the controller last saw and decided. More of it stands in annotations.',
  {
    ...statusOfReplicas,
    currentCPUUtilizationPercentage: f.int32(5, {
      doc: 'Use of processor time, in percent of what the pods request.',
      presence: 'pointer',
    }),
  },
);

/** Something has to be scaled by: processor time, when the annotation names no other metrics. */
export const deriveCpuTarget: Derive<Draft<autoscaling.HorizontalPodAutoscaler>> = (object, names) => {
  const spec = object.spec;
  const { targetCPUUtilizationPercentage: target } = spec ?? {};
  if (target !== undefined) return false;
  const annotations = object.metadata?.annotations ?? {};
  const others = annotations[annotationKeys(names).metrics];
  if (others !== undefined && asObjects(jsonAnnotation.read(others)).length > 0) return false;
  object.spec = { ...spec, targetCPUUtilizationPercentage: DEFAULT_CPU_UTILIZATION };
  return true;
};

export const HorizontalPodAutoscaler = struct(
  'autoscaling.v1.HorizontalPodAutoscaler',
  'Adjusts the number of replicas of something by how much processor time they use.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, HorizontalPodAutoscalerSpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, HorizontalPodAutoscalerStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true, derive: deriveCpuTarget },
);
