export {
  type FieldRequirement,
  type FieldSelector,
  fieldSelector,
  parseFieldSelector,
} from './field-selector.ts';
export { parseLabelSelector } from './label-parser.ts';
export {
  everything,
  formatLabelSelector,
  type LabelOperator,
  type LabelRequirement,
  type LabelSelector,
  type LabelSelectorObject,
  type Labels,
  labelSelector,
  labelSelectorFromMap,
  labelSelectorFromObject,
  nothing,
} from './label-selector.ts';
export { SelectorError } from './selector-error.ts';
