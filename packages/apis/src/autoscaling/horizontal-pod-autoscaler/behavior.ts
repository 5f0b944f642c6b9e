import { f, type StructSchema, struct } from '@orch/schema';
import { deriveBehavior } from './defaults.ts';

const HPAScalingPolicy = struct(
  'autoscaling.v2.HPAScalingPolicy',
  'A bound on how much may change within a span of time.',
  {
    type: f.string(1, { doc: 'Unit of the value: Pods or Percent.', presence: 'always' }),
    value: f.int32(2, { doc: 'Maximum change of the number of pods; at least 1.', presence: 'always' }),
    periodSeconds: f.int32(3, { doc: 'Span of time, up to half an hour.', presence: 'always' }),
  },
);

/** The two versions with behaviors differ only in how lists of policies are merged. */
export function scalingRules(version: string, policiesAre?: { readonly listType: 'atomic' }): StructSchema {
  return struct(
    `autoscaling.${version}.HPAScalingRules`,
    'How fast the number of replicas may change in one direction.',
    {
      stabilizationWindowSeconds: f.int32(3, {
        doc: 'Period over which recommendations are considered, to prevent fluctuation; up to an hour. By default none upwards and five minutes downwards.',
        presence: 'pointer',
      }),
      selectPolicy: f.string(1, {
        doc: 'The policy to use: Max for the one that allows most, Min for least, Disabled for no scaling in this direction.',
        presence: 'pointer',
      }),
      // An empty list differs from an absent one: it gets no default, and is refused.
      policies: f.list(2, HPAScalingPolicy, { doc: 'The bounds.', presence: 'pointer', ...policiesAre }),

      tolerance: f.quantity(4, {
        doc: 'How far the metric may be from its target before the number of replicas changes, as a fraction.',
        presence: 'pointer',
        since: '1.35',
        gate: 'HPAConfigurableTolerance',
      }),
    },
  );
}

export const behaviorOf = (version: string, rules: StructSchema): StructSchema =>
  struct(
    `autoscaling.${version}.HorizontalPodAutoscalerBehavior`,
    'Rules for scaling up and rules for scaling down.',
    {
      scaleUp: f.struct(1, rules, {
        doc: 'Upwards; by default 4 pods or all of them again every 15 seconds, whichever is more.',
        presence: 'pointer',
      }),
      scaleDown: f.struct(2, rules, {
        doc: 'Downwards; by default down to the minimum at once, after five minutes of low recommendations.',
        presence: 'pointer',
      }),
    },
    { derive: deriveBehavior },
  );

const HPAScalingRules = scalingRules('v2', { listType: 'atomic' });

export const HorizontalPodAutoscalerBehavior = behaviorOf('v2', HPAScalingRules);
