import { isJsonObject, jsonEquals, type MutableJsonObject } from '@orch/machinery/json';
import {
  annotation,
  chain,
  hubOnly,
  jsonAnnotation,
  type Lens,
  type LensScope,
  lossless,
  setAnnotation,
} from '@orch/schema';
import { annotationKeys } from './annotations.ts';
import { HorizontalPodAutoscaler } from './v1.ts';
import { HorizontalPodAutoscaler as Hub } from './v2.ts';
import { behaviorLens } from './v2beta1.lens.ts';
import { changeAll, metricSpec, metricStatus } from './v2beta1.metric.lens.ts';

const part = (object: MutableJsonObject, name: string): MutableJsonObject => {
  const found = object[name];
  if (isJsonObject(found)) return found;
  const made: MutableJsonObject = {};
  object[name] = made;
  return made;
};

/** The metrics of an annotation, in the hub version; undefined when it holds none. */
function metricsIn(
  scope: LensScope,
  key: string,
  change: (older: MutableJsonObject) => MutableJsonObject,
): MutableJsonObject[] | undefined {
  const text = annotation(scope, key);
  const list = text === undefined ? undefined : changeAll(jsonAnnotation.read(text), change);
  if (list !== undefined) setAnnotation(scope, key, undefined);
  return list;
}

/** The one metric for which the version has a field. */
const cpuTarget = (averageUtilization: unknown): MutableJsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** The target percentage, when a metric of the hub has no other content. */
function targetPercentage(metric: unknown): unknown {
  const resource = isJsonObject(metric) ? metric.resource : undefined;
  const target = isJsonObject(resource) ? resource.target : undefined;
  const percentage = isJsonObject(target) ? target.averageUtilization : undefined;
  return percentage !== undefined && jsonEquals(metric, cpuTarget(percentage)) ? percentage : undefined;
}

const isCpuTarget = (metric: unknown): boolean => targetPercentage(metric) !== undefined;

/**
 * The first metric that is only a CPU utilization has a field; all others are in an annotation. They keep their order:
 * the metric of the field comes last, or is in the annotation too, to mark its position.
 */
const targetMetrics: Lens = {
  toHub(object, scope) {
    const spec = part(object, 'spec');
    const { targetCPUUtilizationPercentage: percentage } = spec;
    const metrics = metricsIn(scope, annotationKeys(scope.names).metrics, metricSpec.toHub) ?? [];
    const place = metrics.findIndex(isCpuTarget);
    const own = percentage === undefined ? [] : [cpuTarget(percentage)];
    if (place < 0) metrics.push(...own);
    else metrics.splice(place, 1, ...own);
    delete spec.targetCPUUtilizationPercentage;
    if (metrics.length > 0) spec.metrics = metrics;
  },
  fromHub(object, scope) {
    const spec = part(object, 'spec');
    const metrics = changeAll(spec.metrics, (metric) => metric) ?? [];
    const place = metrics.findIndex(isCpuTarget);
    if (place >= 0) spec.targetCPUUtilizationPercentage = targetPercentage(metrics[place]);
    const others = place >= 0 && place === metrics.length - 1 ? metrics.slice(0, -1) : metrics;
    const text = others.length === 0 ? undefined : jsonAnnotation.write(others.map(metricSpec.fromHub));
    setAnnotation(scope, annotationKeys(scope.names).metrics, text);
    delete spec.metrics;
  },
};

const cpuUse = (averageUtilization: unknown): MutableJsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', current: { averageUtilization } },
});

/** The current values of a metric of the hub with a CPU utilization; it may have other values too. */
function currentOf(metric: unknown): MutableJsonObject | undefined {
  const resource = isJsonObject(metric) && metric.type === 'Resource' ? metric.resource : undefined;
  if (!isJsonObject(resource) || resource.name !== 'cpu') return undefined;
  const { current } = resource;
  return isJsonObject(current) && current.averageUtilization !== undefined ? current : undefined;
}

/** As for target metrics, but the annotation has all of them unless the field represents them completely. */
const currentMetrics: Lens = {
  toHub(object, scope) {
    const status = part(object, 'status');
    const { currentCPUUtilizationPercentage: percentage } = status;
    const metrics = metricsIn(scope, annotationKeys(scope.names).currentMetrics, metricStatus.toHub) ?? [];
    const current = metrics.map(currentOf).find((found) => found !== undefined);
    if (current !== undefined && percentage !== undefined) current.averageUtilization = percentage;
    else if (percentage !== undefined) metrics.push(cpuUse(percentage));
    delete status.currentCPUUtilizationPercentage;
    if (metrics.length > 0) status.currentMetrics = metrics;
  },
  fromHub(object, scope) {
    const status = part(object, 'status');
    const metrics = changeAll(status.currentMetrics, (metric) => metric) ?? [];
    const percentage = metrics.map(currentOf).find((found) => found !== undefined)?.averageUtilization;
    if (percentage !== undefined) status.currentCPUUtilizationPercentage = percentage;
    const isComplete = jsonEquals(metrics, [cpuUse(percentage)]) || metrics.length === 0;
    const text = isComplete ? undefined : jsonAnnotation.write(metrics.map(metricStatus.fromHub));
    setAnnotation(scope, annotationKeys(scope.names).currentMetrics, text);
    delete status.currentMetrics;
  },
};

const conditions = hubOnly({
  path: 'status.conditions',
  key: ({ names }) => annotationKeys(names).conditions,
});

/** Metrics, behavior and conditions are in annotations, except for CPU utilization. */
export const horizontalPodAutoscalerLens = lossless(
  chain(targetMetrics, currentMetrics, conditions, behaviorLens),
  {
    hub: Hub,
    older: HorizontalPodAutoscaler,
    carriers: (names) => Object.values(annotationKeys(names)),
  },
);
