import type {
  ContainerResourceMetricSourceV2,
  MetricSpecV2,
  MetricTargetV2,
  ObjectMetricSourceV2,
} from '@orch/kinds/autoscaling';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { approximateNumber } from '@orch/machinery/json';
import { parseQuantity, quantitySign } from '@orch/machinery/quantity';
import { containerResourceProblem } from '../../../core/shared/validation/resource-names.ts';
import { checkFormat } from '../../../validation-rules.ts';
import { checkReference, checkSegment } from './reference.ts';

type SourceName = 'object' | 'pods' | 'resource' | 'containerResource' | 'external';

/** Fields of the sources of metrics. */
type AnySource = ObjectMetricSourceV2 & ContainerResourceMetricSourceV2;

/** The field of a metric type, and the values that its target requires. */
interface Source {
  readonly field: SourceName;
  check(path: string, source: AnySource, names: Names): readonly FieldError[];
}

const target = (path: string, source: AnySource): readonly FieldError[] =>
  checkTarget(`${path}.target`, source.target ?? {});

const identifier = (path: string, source: AnySource): readonly FieldError[] =>
  checkSegment(`${path}.metric.name`, source.metric?.name, 'must specify a metric name');

const has = (source: AnySource, value: keyof MetricTargetV2): boolean => source.target?.[value] !== undefined;

const missing = (path: string, why: string): readonly FieldError[] => [fieldError.required(path, why)];

const resourceTarget = (path: string, source: AnySource): readonly FieldError[] => [
  ...((source.name ?? '') === '' ? missing(`${path}.name`, 'must specify a resource name') : []),
  ...target(path, source),
  ...(has(source, 'averageUtilization') || has(source, 'averageValue')
    ? []
    : missing(
        `${path}.target.averageUtilization`,
        'must set either a target raw value or a target utilization',
      )),
  ...(has(source, 'averageUtilization') && has(source, 'averageValue')
    ? [
        fieldError.forbidden(
          `${path}.target.averageValue`,
          'may not set both a target raw value and a target utilization',
        ),
      ]
    : []),
];

/** A missing name is reported with the target. */
function checkContainerResource(path: string, name: string, names: Names): readonly FieldError[] {
  const problem = name === '' ? undefined : containerResourceProblem(name, names);
  return problem === undefined ? [] : [fieldError.invalid(path, name, problem)];
}

const eitherValue = (path: string, source: AnySource): readonly FieldError[] =>
  has(source, 'value') || has(source, 'averageValue')
    ? []
    : missing(`${path}.target.averageValue`, 'must set either a target value for metric or a per-pod target');

const sources: Readonly<Record<string, Source>> = {
  Object: {
    field: 'object',
    check: (path, source) => [
      ...checkReference(`${path}.describedObject`, source.describedObject ?? {}),
      ...identifier(path, source),
      ...target(path, source),
      ...eitherValue(path, source),
    ],
  },
  Pods: {
    field: 'pods',
    check: (path, source) => [
      ...identifier(path, source),
      ...target(path, source),
      ...(has(source, 'averageValue')
        ? []
        : missing(`${path}.target.averageValue`, 'must specify a positive target averageValue')),
    ],
  },
  Resource: { field: 'resource', check: resourceTarget },
  ContainerResource: {
    field: 'containerResource',
    check: (path, source, names) => [
      ...((source.container ?? '') === ''
        ? missing(`${path}.container`, 'must specify a container')
        : checkFormat('dns1123label', `${path}.container`, source.container)),
      ...checkContainerResource(`${path}.name`, source.name ?? '', names),
      ...resourceTarget(path, source),
    ],
  },
  External: {
    field: 'external',
    check: (path, source) => [
      ...identifier(path, source),
      ...target(path, source),
      ...eitherValue(path, source),
      ...(has(source, 'value') && has(source, 'averageValue')
        ? [
            fieldError.forbidden(
              `${path}.target.value`,
              'may not set both a target value for metric and a per-pod target',
            ),
          ]
        : []),
    ],
  },
};

const types = Object.keys(sources);
/** The order in which sources are looked for: only the first one is checked. */
const checkedOrder: readonly SourceName[] = ['object', 'external', 'pods', 'resource', 'containerResource'];
const fields = Object.values(sources).map(({ field }) => field);
const targetTypes = new Set(['Utilization', 'Value', 'AverageValue']);

function checkTarget(path: string, wanted: MetricTargetV2): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = wanted.type ?? '';
  if (type === '') errors.push(fieldError.required(`${path}.type`, 'must specify a metric target type'));
  if (!targetTypes.has(type)) {
    errors.push(
      fieldError.invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'),
    );
  }
  for (const field of ['value', 'averageValue'] as const) {
    const amount = wanted[field] ?? '';
    if (amount !== '' && quantitySign(parseQuantity(amount)) <= 0) {
      errors.push(fieldError.invalid(`${path}.${field}`, amount, 'must be positive'));
    }
  }
  const { averageUtilization } = wanted;
  if (averageUtilization !== undefined && (approximateNumber(averageUtilization) ?? 0) < 1) {
    errors.push(
      fieldError.invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0'),
    );
  }
  return errors;
}

/** Checks that every metric has one type, the field of that type and no other, and a target that fits the type. */
export const checkMetrics = (
  path: string,
  metrics: readonly MetricSpecV2[],
  names: Names,
): readonly FieldError[] => metrics.flatMap((metric, i) => checkMetric(`${path}[${i}]`, metric, names));

function checkMetric(path: string, metric: MetricSpecV2, names: Names): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = metric.type ?? '';
  const source = Object.hasOwn(sources, type) ? sources[type] : undefined;
  if (type === '') errors.push(fieldError.required(`${path}.type`, 'must specify a metric source type'));
  if (source === undefined) errors.push(fieldError.notSupported(`${path}.type`, type, types));
  else if (metric[source.field] === undefined) {
    const why = 'must populate information for the given metric source';
    errors.push(fieldError.required(`${path}.${source.field}`, why));
  }
  const there = fields.filter((field) => metric[field] !== undefined);
  const checked = checkedOrder.find((field) => there.includes(field));
  const first = Object.values(sources).find(({ field }) => field === checked);
  if (first !== undefined)
    errors.push(...first.check(`${path}.${first.field}`, metric[first.field] ?? {}, names));
  if (there.length > 1) {
    const others = there.filter((field) => field !== source?.field);
    const why = 'must populate the given metric source only';
    errors.push(...others.map((field) => fieldError.forbidden(`${path}.${field}`, why)));
  }
  return errors;
}

/** A metric that exists even when there are no pods. */
export const hasMetricWithoutPods = (metrics: readonly MetricSpecV2[] = []): boolean =>
  metrics.some(({ type }) => type === 'Object' || type === 'External');
