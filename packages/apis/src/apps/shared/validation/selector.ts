import type { PodTemplateSpec } from '@orch/kinds/core';
import type { LabelSelector } from '@orch/kinds/meta';
import { type FieldError, fieldError } from '@orch/machinery';
import { labelSelectorFromObject, SelectorError } from '@orch/machinery/selectors';

/** Labels of the pods of a template. */
export const templateLabels = (template: PodTemplateSpec): Readonly<Record<string, string>> =>
  template.metadata?.labels ?? {};

export const isEmptySelector = (selector: LabelSelector): boolean =>
  Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;

/** Reports whether labels are selected; undefined for a selector that cannot be parsed, which is reported separately. */
export function selects(
  selector: LabelSelector | null | undefined,
  labels: Readonly<Record<string, string>>,
): boolean | undefined {
  try {
    return labelSelectorFromObject(selector).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Reports whether a workload has a valid selector or none. With an invalid one, its template is not validated. */
export const hasUsableSelector = ({ selector }: { readonly selector?: unknown }): boolean =>
  selects(selector as LabelSelector | undefined, {}) !== undefined;

/** Checks that the selector of a workload matches the labels of its pod template. */
export function checkTemplateLabels(
  selector: LabelSelector | null | undefined,
  template: PodTemplateSpec,
  path: string,
): readonly FieldError[] {
  const labels = templateLabels(template);
  if (selects(selector, labels) !== false) return [];
  const why = '`selector` does not match template `labels`';
  return [fieldError.invalid(`${path}.metadata.labels`, labels, why)];
}
