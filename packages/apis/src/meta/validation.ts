import type { LabelSelector, LabelSelectorRequirement } from '@orch/kinds/meta';
import { type FieldError, fieldError, type ObjectMeta } from '@orch/machinery';
import { labelValue, qualifiedName } from '@orch/machinery/formats';
import { isJsonObject } from '@orch/machinery/json';
import { problemsOf, validateAnnotations, validateLabels } from '@orch/machinery/object-meta';
import type { Check, CheckContext } from '@orch/schema';

/** Checks one requirement of a label selector (facts: LabelSelector). */
export const checkSelectorRequirement: Check<LabelSelectorRequirement> = (requirement, context) => {
  const { path } = context;
  const errors: FieldError[] = [];
  const values = requirement.values ?? [];
  const operator = requirement.operator ?? '';
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(
          fieldError.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
        );
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        errors.push(
          fieldError.forbidden(
            `${path}.values`,
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          ),
        );
      }
      break;
    default:
      errors.push(fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  const key = requirement.key ?? '';
  const wrong = qualifiedName(key);
  if (wrong !== undefined) errors.push(fieldError.invalid(`${path}.key`, key, wrong));
  return [...errors, ...checkSelectorValues(requirement, context)];
};

const isWrongValue = (value: string): boolean => labelValue(value) !== undefined;

/** Checks, from 1.26 on, that values are those of labels. A stored requirement with another value may be kept. */
function checkSelectorValues(
  { values = [] }: LabelSelectorRequirement,
  { path, old, since }: CheckContext<LabelSelectorRequirement>,
): readonly FieldError[] {
  if (values.length === 0 || !since('1.26') || old?.values?.some(isWrongValue)) return [];
  return problemsOf(values, (value, i) => {
    const wrong = labelValue(value);
    return wrong === undefined ? [] : [fieldError.invalid(`${path}.values[${i}]`, value, wrong)];
  });
}

/** Checks labels that a selector requires; errors name the map. */
export const checkMatchLabels: Check<LabelSelector> = (selector, { path }) =>
  selector.matchLabels === undefined ? [] : validateLabels(selector.matchLabels, `${path}.matchLabels`);

/** For compatibility, errors in the metadata of pod templates omit `metadata`: `spec.template.labels`. */
const ofPodTemplate = /(?:^|\.)template\.metadata$/;

/** Checks metadata within an object: of templates, where only labels and annotations are used. */
export const checkTemplateMetadata: Check<ObjectMeta> = (metadata, { path }) => {
  const at = ofPodTemplate.test(path) ? path.slice(0, -'.metadata'.length) : path;
  const { labels, annotations } = metadata;
  return [
    ...validateLabels(labels, `${at}.labels`),
    ...validateAnnotations(annotations, `${at}.annotations`),
  ];
};

/** The only metadata that some templates give to their objects. */
const labelling = new Set(['labels', 'annotations']);

/** The metadata in the field `name` has labels and annotations only; for compatibility errors name `uid` as `uID`. */
export const onlyLabelled =
  (name: string): Check =>
  (value, { path }) => {
    const metadata = value[name];
    if (!isJsonObject(metadata)) return [];
    return Object.entries(metadata)
      .filter(([field, set]) => set !== null && !labelling.has(field))
      .map(([field]) =>
        fieldError.forbidden(`${path}.${name}.${field === 'uid' ? 'uID' : field}`, 'cannot be set'),
      );
  };
