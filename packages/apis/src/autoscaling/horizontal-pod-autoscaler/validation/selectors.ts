import type { FieldError, Names } from '@orch/machinery';
import { checkMatchLabels, checkSelectorRequirement } from '../../../meta/validation.ts';
import { asObject, asObjects, type JsonObject } from '../../../read.ts';

/** Label selectors of metrics, for versions whose schema does not see them. */
export const checkMetricSelectors = (
  path: string,
  metrics: readonly JsonObject[],
  names: Names,
): readonly FieldError[] =>
  metrics.flatMap((metric, i) =>
    ['object', 'pods', 'external'].flatMap((source) => {
      const { selector } = asObject(asObject(metric[source])['metric']);
      if (selector === undefined) return [];
      return checkSelector(`${path}[${i}].${source}.metric.selector`, asObject(selector), names);
    }),
  );

function checkSelector(path: string, selector: JsonObject, names: Names): readonly FieldError[] {
  const context = { path, old: undefined, operation: 'create', root: {}, names } as const;
  return [
    ...checkMatchLabels(selector, context),
    ...asObjects(selector['matchExpressions']).flatMap((requirement, i) =>
      checkSelectorRequirement(requirement, { ...context, path: `${path}.matchExpressions[${i}]` }),
    ),
  ];
}
