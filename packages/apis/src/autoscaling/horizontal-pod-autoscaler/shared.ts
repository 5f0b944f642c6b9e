import { f, type StructSchema, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { CrossVersionObjectReference, CrossVersionObjectReferenceV1 } from './metric-target.ts';

const scaleTargetRef = (reference: StructSchema) =>
  f.struct(1, reference, {
    doc: 'The object to scale; it has a scale subresource.',
    presence: 'always',
    openapiRequired: true,
  });

/** Fields that all versions have in common. */
export const boundsOfReplicas = {
  scaleTargetRef: scaleTargetRef(CrossVersionObjectReference),
  minReplicas: f.int32(2, { doc: 'Minimum number of replicas.', presence: 'pointer', default: 1 }),
  maxReplicas: f.int32(3, {
    doc: 'Maximum number of replicas; not fewer than minReplicas.',
    presence: 'always',
  }),
} as const;

export const boundsOfReplicasV1 = {
  ...boundsOfReplicas,
  scaleTargetRef: scaleTargetRef(CrossVersionObjectReferenceV1),
};

export const metricsDoc =
  'Metrics to scale by; the one that results in the most replicas is used. By default 80 percent of the requested CPU.';

/** Fields of the status that all versions have in common. */
export const statusOfReplicas = {
  observedGeneration: f.int64(1, {
    doc: 'Generation that the controller has observed.',
    presence: 'pointer',
  }),
  lastScaleTime: f.time(2, { doc: 'When the number of replicas last changed.', presence: 'pointer' }),
  currentReplicas: f.int32(3, { doc: 'Current number of replicas.', presence: 'always', min: 0 }),
  desiredReplicas: f.int32(4, { doc: 'Desired number of replicas.', presence: 'always', min: 0 }),
} as const;

export const HorizontalPodAutoscalerCondition = struct(
  'autoscaling.v2.HorizontalPodAutoscalerCondition',
  'One aspect of the state of an autoscaler.',
  {
    type: f.string(1, { doc: 'ScalingActive, AbleToScale or ScalingLimited.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastTransitionTime: f.time(3, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(5, { doc: 'Human-readable details.' }),
    observedGeneration: f.int64(6, {
      doc: 'Generation of the spec on which it is based.',
      presence: 'pointer',
      since: '1.37',
    }),
  },
);

/** The status of versions before v2, which differ from it in how lists are merged, and write empty ones. */
export const betaStatusOf = (version: string, metric: StructSchema): StructSchema =>
  struct(
    `autoscaling.${version}.HorizontalPodAutoscalerStatus`,
    'Last observation and decision of the controller.',
    {
      ...statusOfReplicas,
      currentMetrics: f.list(5, metric, {
        doc: 'State of the metrics, in their order.',
        presence: 'always',
        openapiRequired: false,
      }),
      conditions: f.list(6, HorizontalPodAutoscalerCondition, {
        doc: 'Observations about the object, one entry per type.',
        presence: 'always',
        openapiRequired: false,
      }),
    },
  );

/** The kind in versions with a list of metrics. */
export const autoscalerOf = (
  version: string,
  { spec, status }: { readonly spec: StructSchema; readonly status: StructSchema },
): StructSchema =>
  struct(
    `autoscaling.${version}.HorizontalPodAutoscaler`,
    'Adjusts the number of replicas of an object according to metrics.',
    {
      metadata: metadataField,
      spec: specField(spec, { openapiRequired: { since: '1.36', is: true } }),
      status: statusField(status),
    },
    { typeMeta: true },
  );
