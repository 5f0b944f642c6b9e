import type { HorizontalPodAutoscalerV2 } from '@orch/kinds/autoscaling';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { keepStatus, restoreAllButStatus } from '../../status-strategy.ts';
import { annotationKeys } from './annotations.ts';
import { checkReferenceVersions } from './validation/reference-versions.ts';
import { validateHorizontalPodAutoscaler } from './validation/spec.ts';

/**
 * Removes annotations for older versions: conversion has turned them into fields, so the remaining ones were set in
 * this version.
 */
function dropCarriers({ metadata }: HorizontalPodAutoscalerV2, { names }: StrategyContext): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  for (const key of Object.values(annotationKeys(names))) delete annotations[key];
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
}

/** The strategy of releases before 1.34, which do not check the versions of references. */
export const earlierHorizontalPodAutoscalerStrategy: Strategy<HorizontalPodAutoscalerV2> = strategyOf({
  resetStatus: true,
  prepareForCreate(next, context) {
    dropCarriers(next, context);
    next.status = { desiredReplicas: 0, currentMetrics: null };
  },
  prepareForUpdate(next, old, context) {
    dropCarriers(next, context);
    keepStatus(next, old, context);
  },
  validate: validateHorizontalPodAutoscaler,
  through: {
    status: {
      prepareForUpdate(next, old, context) {
        dropCarriers(next, context);
        restoreAllButStatus(next, old);
      },
    },
  },
});

/** The strategy of releases from 1.34 until 1.36, in which autoscalers have no generation. */
export const strategyWithoutGeneration: Strategy<HorizontalPodAutoscalerV2> = {
  ...earlierHorizontalPodAutoscalerStrategy,
  validate: (next, old, context) => [
    ...validateHorizontalPodAutoscaler(next, old, context),
    ...checkReferenceVersions(next, old),
  ],
};

export const horizontalPodAutoscalerStrategy: Strategy<HorizontalPodAutoscalerV2> = {
  ...strategyWithoutGeneration,
  generation: 'spec',
};
