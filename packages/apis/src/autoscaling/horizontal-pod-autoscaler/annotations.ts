import type { Names } from '@orch/machinery';

/** Annotations for values that older versions have no fields for. */
export const annotationKeys = (names: Names) => {
  const prefix = names.annotations.autoscalingAlpha;
  return {
    /** Metrics other than the target CPU utilization, as in v2beta1. */
    metrics: `${prefix}/metrics`,
    behavior: `${prefix}/behavior`,
    conditions: `${prefix}/conditions`,
    /** State of all metrics, in the form of v2beta1. */
    currentMetrics: `${prefix}/current-metrics`,
  } as const;
};
