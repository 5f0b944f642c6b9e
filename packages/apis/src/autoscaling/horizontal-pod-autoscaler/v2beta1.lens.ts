import { isJsonObject, type Names } from '@orch/machinery';
import { type AnnotationForm, chain, hubOnly, jsonForm, lossless, mapMember, within } from '@orch/schema';
import { annotationKeys } from './annotations.ts';
import { HorizontalPodAutoscaler as Hub } from './v2.ts';
import { changeAll, metricSpec, metricStatus } from './v2beta1.metric.lens.ts';
import { HorizontalPodAutoscaler } from './v2beta1.ts';

/** Members were once written with capitals. */
function uncapitalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(uncapitalized);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.slice(0, 1).toLowerCase() + name.slice(1),
      uncapitalized(member),
    ]),
  );
}

const behaviorForm: AnnotationForm = {
  write: jsonForm.write,
  read: (text) => uncapitalized(jsonForm.read(text)),
};

/** How fast the number of replicas may change: an annotation in the versions that do not know about it. */
export const behaviorLens = hubOnly({
  path: 'spec.behavior',
  key: ({ names }) => annotationKeys(names).behavior,
  form: behaviorForm,
});

const metrics = chain(
  within(
    'spec',
    mapMember('metrics', {
      toHub: (older) => changeAll(older, metricSpec.toHub),
      fromHub: (hub) => changeAll(hub, metricSpec.fromHub),
    }),
  ),
  within(
    'status',
    mapMember('currentMetrics', {
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
