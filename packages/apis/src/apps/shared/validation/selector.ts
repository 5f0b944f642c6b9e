import {
  type FieldError,
  fieldError,
  type LabelSelectorObject,
  labelSelectorFromObject,
  SelectorError,
} from '@orch/machinery';
import { asObject, asObjects, asStringMap, type JsonObject } from '../../../read.ts';

/** Labels that the pods of a template have. */
export const templateLabels = (template: JsonObject): Readonly<Record<string, string>> =>
  asStringMap(asObject(template['metadata'])['labels']);

export const isEmptySelector = (selector: JsonObject): boolean =>
  Object.keys(asObject(selector['matchLabels'])).length === 0 &&
  asObjects(selector['matchExpressions']).length === 0;

/** Whether labels are selected; undefined for a selector that cannot be read, which has errors of its own. */
export function selects(selector: unknown, labels: Readonly<Record<string, string>>): boolean | undefined {
  try {
    return labelSelectorFromObject(selector as LabelSelectorObject | null | undefined).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Pods of a workload have the labels that it looks for. */
export function checkTemplateLabels(
  selector: unknown,
  template: JsonObject,
  path: string,
): readonly FieldError[] {
  const labels = templateLabels(template);
  if (selects(selector, labels) !== false) return [];
  const why = '`selector` does not match template `labels`';
  return [fieldError.invalid(`${path}.metadata.labels`, labels, why)];
}
