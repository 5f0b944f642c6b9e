import {
  type FieldError,
  fieldError,
  qualifiedName,
  validateAnnotations,
  validateLabels,
} from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asStringMap, asStrings, asText } from '../read.ts';

/** One condition of a label selector (facts: LabelSelector). */
export const checkSelectorRequirement: Check = (requirement, { path }) => {
  const errors: FieldError[] = [];
  const values = asStrings(requirement['values']);
  const operator = asText(requirement['operator']);
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
  const key = asText(requirement['key']);
  const wrong = qualifiedName(key);
  return wrong === undefined ? errors : [...errors, fieldError.invalid(`${path}.key`, key, wrong)];
};

/** Labels that a selector asks for; errors name the map. */
export const checkMatchLabels: Check = (selector, { path }) =>
  selector['matchLabels'] === undefined
    ? []
    : validateLabels(asStringMap(selector['matchLabels']), `${path}.matchLabels`);

/** Clients know errors in the metadata of pod templates without it: `spec.template.labels`. */
const ofPodTemplate = /(?:^|\.)template\.metadata$/;

/** Metadata within an object: of templates, where only labels and annotations are used. */
export const checkTemplateMetadata: Check = (metadata, { path }) => {
  const at = ofPodTemplate.test(path) ? path.slice(0, -'.metadata'.length) : path;
  const { labels, annotations } = metadata;
  return [
    ...validateLabels(labels === undefined ? undefined : asStringMap(labels), `${at}.labels`),
    ...validateAnnotations(
      annotations === undefined ? undefined : asStringMap(annotations),
      `${at}.annotations`,
    ),
  ];
};
