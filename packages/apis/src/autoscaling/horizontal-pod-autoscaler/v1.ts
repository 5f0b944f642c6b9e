import type * as autoscaling from '@orch/kinds/autoscaling';
import type { Draft } from '@orch/kinds/draft';
import { asObjects } from '@orch/machinery/json';
import { type Derive, f, jsonAnnotation, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { annotationKeys } from './annotations.ts';
import { DEFAULT_CPU_UTILIZATION } from './defaults.ts';
import { boundsOfReplicasV1, statusOfReplicas } from './shared.ts';

export const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v1.HorizontalPodAutoscalerSpec',
  'The object to scale, and the bounds. Metrics other than CPU are in an annotation.',
  {
    ...boundsOfReplicasV1,
    targetCPUUtilizationPercentage: f.int32(4, {
      doc: 'Target CPU utilization, in percent of the CPU that the pods request; 80 when absent.',
      presence: 'pointer',
    }),
  },
);

export const HorizontalPodAutoscalerStatus = struct(
  'autoscaling.v1.HorizontalPodAutoscalerStatus',
  'Last observation and decision of the controller. Further parts are in annotations.',
  {
    ...statusOfReplicas,
    currentCPUUtilizationPercentage: f.int32(5, {
      doc: 'Current CPU utilization, in percent of the CPU that the pods request.',
      presence: 'pointer',
    }),
  },
);

/** Metrics are required: the default is CPU utilization when the annotation has no other metrics. */
const deriveCpuTarget: Derive<Draft<autoscaling.HorizontalPodAutoscaler>> = (object, names) => {
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
  'Adjusts the number of replicas of an object according to their CPU utilization.',
  {
    metadata: metadataField,
    spec: specField(HorizontalPodAutoscalerSpec, { openapiRequired: { since: '1.36', is: true } }),
    status: statusField(HorizontalPodAutoscalerStatus),
  },
  { typeMeta: true, derive: deriveCpuTarget },
);
