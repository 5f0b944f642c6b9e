import type { Names } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import {
  type AnnotationCodec,
  chain,
  hubOnly,
  jsonAnnotation,
  lossless,
  mapField,
  within,
} from '@orch/schema';
import { annotationKeys } from './annotations.ts';
import { HorizontalPodAutoscaler as Hub } from './v2.ts';
import { changeAll, metricSpec, metricStatus } from './v2beta1.metric.lens.ts';
import { HorizontalPodAutoscaler } from './v2beta1.ts';

/** Fields were formerly capitalized. */
function uncapitalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(uncapitalized);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.slice(0, 1).toLowerCase() + name.slice(1),
      uncapitalized(field),
    ]),
  );
}

const behaviorCodec: AnnotationCodec = {
  write: jsonAnnotation.write,
  read: (text) => uncapitalized(jsonAnnotation.read(text)),
};

/** Scaling behavior: an annotation in the versions that have no field for it. */
export const behaviorLens = hubOnly({
  path: 'spec.behavior',
  key: ({ names }) => annotationKeys(names).behavior,
  codec: behaviorCodec,
});

const metrics = chain(
  within(
    'spec',
    mapField('metrics', {
      toHub: (older) => changeAll(older, metricSpec.toHub),
      fromHub: (hub) => changeAll(hub, metricSpec.fromHub),
    }),
  ),
  within(
    'status',
    mapField('currentMetrics', {
      toHub: (older) => changeAll(older, metricStatus.toHub),
      fromHub: (hub) => changeAll(hub, metricStatus.fromHub),
    }),
  ),
);

/** Metrics have nested targets and identifiers in the hub, and flat fields here. */
export const horizontalPodAutoscalerLens = lossless(chain(metrics, behaviorLens), {
  hub: Hub,
  older: HorizontalPodAutoscaler,
  carriers: (names: Names) => [annotationKeys(names).behavior],
});
