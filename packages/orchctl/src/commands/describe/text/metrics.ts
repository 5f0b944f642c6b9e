import type { kinds } from '@orch/client';
import { amount, quoted } from './values.ts';

type Metric = kinds.autoscaling.MetricSpecV2;
type Status = kinds.autoscaling.MetricStatusV2;
type Target = kinds.autoscaling.MetricTargetV2;
type Value = kinds.autoscaling.MetricValueStatusV2;

/** A metric of an autoscaler in two cells: its name, and `current / target`. */
export function metricTexts(metric: Metric, status: Status | undefined): readonly string[] {
  const { external, pods, object, resource, containerResource } = metric;
  if (external !== undefined) {
    const isAverage = external.target.averageValue !== undefined;
    const title = `${quoted(external.metric.name)} (target ${isAverage ? 'average value' : 'value'}):`;
    return [title, valueText(external.target, status?.external?.current, isAverage)];
  }
  if (pods !== undefined)
    return [`${quoted(pods.metric.name)} on pods:`, valueText(pods.target, status?.pods?.current, true)];
  if (object !== undefined) {
    const isAverage = object.target.type === 'AverageValue';
    const { kind, name } = object.describedObject;
    const title = `"${object.metric.name}" on ${kind}/${name} (target ${isAverage ? 'average value' : 'value'}):`;
    return [title, valueText(object.target, status?.object?.current, isAverage)];
  }
  if (resource !== undefined)
    return resourceTexts(`resource ${resource.name} on pods`, resource.target, status?.resource?.current);
  if (containerResource !== undefined) {
    const { name, container, target } = containerResource;
    const title = `resource ${name} of container "${container}" on pods`;
    return resourceTexts(title, target, status?.containerResource?.current);
  }
  return [`<unknown metric type ${quoted(metric.type)}>`];
}

function valueText(target: Target, current: Value | undefined, isAverage: boolean): string {
  const field = isAverage ? 'averageValue' : 'value';
  const now = current === undefined ? '<unknown>' : amount(current[field]);
  return `${now} / ${amount(target[field])}`;
}

/** A resource has a target value, or one in percent of the requests of the pods. */
function resourceTexts(title: string, target: Target, current: Value | undefined): readonly string[] {
  if (target.averageValue !== undefined) return [`${title}:`, valueText(target, current, true)];
  const now =
    current?.averageUtilization === undefined
      ? '<unknown>'
      : `${current.averageUtilization}% (${amount(current.averageValue)})`;
  const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  return [`${title}  (as a percentage of request):`, `${now} / ${wanted}`];
}
