import type {
  HorizontalPodAutoscalerV2,
  MetricSpecV2,
  MetricStatusV2,
  MetricTargetV2,
  MetricValueStatusV2,
} from '@orch/kinds/autoscaling';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const percent = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${value}%`;

const text = (value: string | undefined): string | undefined => (value ?? '') || undefined;

const unknownValue = '<unknown>';

/** The current and the target value of a metric. */
const pair = (current: string | undefined, target: string, suffix = ''): string =>
  `${current ?? unknownValue}/${target}${suffix}`;

const valueText = (target: MetricTargetV2, current: MetricValueStatusV2): string =>
  target.averageValue === undefined
    ? pair(text(current.value), target.value ?? '')
    : pair(text(current.averageValue), target.averageValue ?? '', ' (avg)');

const useText = (target: MetricTargetV2, current: MetricValueStatusV2): string =>
  target.averageValue === undefined
    ? pair(percent(current.averageUtilization), percent(target.averageUtilization) ?? '<auto>')
    : pair(text(current.averageValue), target.averageValue ?? '');

const podsText = (target: MetricTargetV2, current: MetricValueStatusV2): string =>
  pair(text(current.averageValue), target.averageValue ?? '');

type ShowMetric = (target: MetricTargetV2, current: MetricValueStatusV2) => string;
type Source = 'object' | 'external' | 'pods' | 'resource' | 'containerResource';

const metricTypes: Readonly<Record<string, readonly [source: Source, show: ShowMetric]>> = {
  Object: ['object', valueText],
  External: ['external', valueText],
  Pods: ['pods', podsText],
  Resource: ['resource', useText],
  ContainerResource: ['containerResource', useText],
};

type ShowState = (metric: MetricSpecV2, state: MetricStatusV2) => string;

/** The state of a metric has the same index in the other list. */
const metricText: ShowState = (metric, state) => {
  const type = metric.type ?? '';
  const known = Object.hasOwn(metricTypes, type) ? metricTypes[type] : undefined;
  if (known === undefined) return '<unknown type>';
  const [source, show] = known;
  return show(metric[source]?.target ?? {}, state[source]?.current ?? {});
};

/** The name of the resource comes before the values of metrics of resources. */
const namedMetricText: ShowState = (metric, state) => {
  const { name } = (metric.type === 'Resource' ? metric.resource : metric.containerResource) ?? {};
  const isNamed = metric.type === 'Resource' || metric.type === 'ContainerResource';
  return isNamed ? `${name ?? ''}: ${metricText(metric, state)}` : metricText(metric, state);
};

const MAX_SHOWN = 2;

function targetsText(
  metrics: readonly MetricSpecV2[],
  states: readonly MetricStatusV2[],
  show: ShowState,
): string {
  if (metrics.length === 0) return '<none>';
  const texts = metrics.slice(0, MAX_SHOWN).map((metric, i) => show(metric, states[i] ?? {}));
  const more = metrics.length - MAX_SHOWN;
  return more > 0 ? `${texts.join(', ')} + ${more} more...` : texts.join(', ');
}

const tableShowing = (show: ShowState): TableDefinition<HorizontalPodAutoscalerV2> => ({
  columns: [
    nameColumn,
    column('Reference', 'Kind and name of what is scaled.'),
    column('Targets', 'Current and target values of the metrics.'),
    column('MinPods', 'Minimum number of replicas.'),
    column('MaxPods', 'Maximum number of replicas.'),
    column('Replicas', 'Current number of replicas.'),
    ageColumn,
  ],
  cells(autoscaler) {
    const spec = autoscaler.spec ?? {};
    const status = autoscaler.status ?? {};
    const target = spec.scaleTargetRef ?? {};
    return [
      nameCell(autoscaler),
      `${target.kind ?? ''}/${target.name ?? ''}`,
      targetsText(spec.metrics ?? [], status.currentMetrics ?? [], show),
      spec.minReplicas === undefined ? '<unset>' : `${spec.minReplicas}`,
      spec.maxReplicas ?? 0,
      status.currentReplicas ?? 0,
      ageCell(autoscaler),
    ];
  },
});

export const horizontalPodAutoscalerTable: TableDefinition<HorizontalPodAutoscalerV2> =
  tableShowing(namedMetricText);

/** The form before the metrics of resources were named. */
export const earlierHorizontalPodAutoscalerTable: TableDefinition<HorizontalPodAutoscalerV2> =
  tableShowing(metricText);
