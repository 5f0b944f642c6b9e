import type { FieldError, Names } from '@orch/machinery';
import { checkMatchLabels, checkSelectorRequirement } from '../../../meta/validation.ts';
import type { MetricSpecV2 } from '../../../types/autoscaling.ts';
import type { LabelSelector } from '../../../types/meta.ts';

/** Label selectors of metrics, for versions whose schema does not see them. */
export const checkMetricSelectors = (
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
  const context = { path, old: undefined, operation: 'create', root: {}, names } as const;
  return [
    ...checkMatchLabels(selector, context),
    ...(selector.matchExpressions ?? []).flatMap((requirement, i) =>
      checkSelectorRequirement(requirement, { ...context, path: `${path}.matchExpressions[${i}]` }),
    ),
  ];
}
