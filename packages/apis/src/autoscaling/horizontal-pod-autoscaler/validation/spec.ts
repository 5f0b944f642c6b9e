import type {
  HorizontalPodAutoscalerSpecV2,
  HorizontalPodAutoscalerV2,
  MetricSpecV2,
} from '@orch/kinds/autoscaling';
import type { LabelSelector } from '@orch/kinds/meta';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { checkMatchLabels, checkSelectorRequirement } from '../../../meta/validation.ts';
import type { StrategyContext } from '../../../resource-type.ts';
import { checkBehavior } from './behavior.ts';
import { checkMetrics, hasMetricWithoutPods } from './metrics.ts';
import { checkReference } from './reference.ts';

/**
 * All rules of an autoscaler except those of its status. For compatibility, errors have paths of the hub even where an
 * older version has other fields.
 */
export function validateHorizontalPodAutoscaler(
  next: HorizontalPodAutoscalerV2,
  old: HorizontalPodAutoscalerV2 | undefined,
  { names, requestVersion, since }: StrategyContext,
): readonly FieldError[] {
  const spec = next.spec ?? {};
  const metrics = spec.metrics ?? [];
  // An autoscaler that could scale to zero when that was allowed may continue to.
  const allowsZero = since('1.37', 'HPAScaleToZero') || old?.spec?.minReplicas === 0;
  return [
    ...(since('1.36') && (spec.maxReplicas ?? 0) === 0 ? [fieldError.required('spec.maxReplicas')] : []),
    ...checkBounds(spec, allowsZero),
    ...checkReference('spec.scaleTargetRef', spec.scaleTargetRef ?? {}),
    ...checkMetrics('spec.metrics', metrics, names),
    ...(requestVersion === 'autoscaling/v1' ? checkMetricSelectors('spec.metrics', metrics, names) : []),
    ...checkBehavior('spec.behavior', spec.behavior ?? {}),
  ];
}

/** Checks label selectors of metrics, for versions whose schema does not include them. */
const checkMetricSelectors = (
  path: string,
  metrics: readonly MetricSpecV2[],
  names: Names,
): readonly FieldError[] =>
  metrics.flatMap((metric, i) =>
    (['object', 'pods', 'external'] as const).flatMap((source) => {
      const { selector } = metric[source]?.metric ?? {};
      if (selector === undefined) return [];
      return checkSelector(`${path}[${i}].${source}.metric.selector`, selector, names);
    }),
  );

function checkSelector(path: string, selector: LabelSelector, names: Names): readonly FieldError[] {
  const context = { path, old: undefined, operation: 'create', root: {}, names, since: () => true } as const;
  return [
    ...checkMatchLabels(selector, context),
    ...(selector.matchExpressions ?? []).flatMap((requirement, i) =>
      checkSelectorRequirement(requirement, { ...context, path: `${path}.matchExpressions[${i}]` }),
    ),
  ];
}

function checkBounds(spec: HorizontalPodAutoscalerSpecV2, allowsZero: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { minReplicas } = spec;
  const min = minReplicas ?? 0;
  const max = spec.maxReplicas ?? 0;
  const fewest = allowsZero ? 0 : 1;
  if (minReplicas !== undefined && min < fewest) {
    errors.push(fieldError.invalid('spec.minReplicas', min, `must be greater than or equal to ${fewest}`));
  }
  if (max < 1) errors.push(fieldError.invalid('spec.maxReplicas', max, 'must be greater than 0'));
  if (minReplicas !== undefined && max < min) {
    errors.push(
      fieldError.invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'),
    );
  }
  if (minReplicas === 0 && !hasMetricWithoutPods(spec.metrics)) {
    const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(fieldError.forbidden('spec.metrics', why));
  }
  return errors;
}
