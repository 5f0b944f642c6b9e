import { asNumber, asObject, asObjects, asText, type JsonObject, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const percent = (value: unknown): string | undefined => (value === undefined ? undefined : `${value}%`);

const text = (value: unknown): string | undefined => asText(value) || undefined;

const unknownValue = '<unknown>';

/** Where a metric is, and where it should be. */
const pair = (current: string | undefined, target: string, suffix = ''): string =>
  `${current ?? unknownValue}/${target}${suffix}`;

const valueText = (target: JsonObject, current: JsonObject): string =>
  target['averageValue'] === undefined
    ? pair(text(current['value']), asText(target['value']))
    : pair(text(current['averageValue']), asText(target['averageValue']), ' (avg)');

const useText = (target: JsonObject, current: JsonObject): string =>
  target['averageValue'] === undefined
    ? pair(percent(current['averageUtilization']), percent(target['averageUtilization']) ?? '<auto>')
    : pair(text(current['averageValue']), asText(target['averageValue']));

const podsText = (target: JsonObject, current: JsonObject): string =>
  pair(text(current['averageValue']), asText(target['averageValue']));

const forms: Readonly<
  Record<string, readonly [member: string, show: (target: JsonObject, current: JsonObject) => string]>
> = {
  Object: ['object', valueText],
  External: ['external', valueText],
  Pods: ['pods', podsText],
  Resource: ['resource', useText],
  ContainerResource: ['containerResource', useText],
};

/** The state of a metric stands at its place of the other list. */
function metricText(metric: JsonObject, state: JsonObject): string {
  const type = asText(metric['type']);
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  if (form === undefined) return '<unknown type>';
  const [member, show] = form;
  return show(asObject(asObject(metric[member])['target']), asObject(asObject(state[member])['current']));
}

const shown = 2;

function targetsText(metrics: readonly JsonObject[], states: readonly JsonObject[]): string {
  if (metrics.length === 0) return '<none>';
  const texts = metrics.slice(0, shown).map((metric, i) => metricText(metric, asObject(states[i])));
  const more = metrics.length - shown;
  return more > 0 ? `${texts.join(', ')} + ${more} more...` : texts.join(', ');
}

export const horizontalPodAutoscalerTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Reference', 'Kind and name of what is scaled.'),
    column('Targets', 'Where the metrics are, and where they should be.'),
    column('MinPods', 'Fewest replicas.'),
    column('MaxPods', 'Most replicas.'),
    column('Replicas', 'Replicas there are.'),
    ageColumn,
  ],
  cells(autoscaler) {
    const spec = specOf(autoscaler);
    const status = statusOf(autoscaler);
    const target = asObject(spec['scaleTargetRef']);
    return [
      nameCell(autoscaler),
      `${asText(target['kind'])}/${asText(target['name'])}`,
      targetsText(asObjects(spec['metrics']), asObjects(status['currentMetrics'])),
      spec['minReplicas'] === undefined ? '<unset>' : `${spec['minReplicas']}`,
      asNumber(spec['maxReplicas']),
      asNumber(status['currentReplicas']),
      ageCell(autoscaler),
    ];
  },
};
