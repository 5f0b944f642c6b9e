import type { LimitRange, LimitRangeItem } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { qualifiedName } from '@orch/machinery/formats';
import { compareQuantities, parseQuantity, type Quantity, quantityNumber } from '@orch/machinery/quantity';
import {
  containerResourceProblem,
  isOvercommitAllowed,
  resourceNameProblem,
} from '../shared/validation/resource-names.ts';

const types = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
type List = (typeof lists)[number];

/** Checks types, names of resources, and the order of bounds and defaults. */
export function validateLimitRange(next: LimitRange, names: Names): readonly FieldError[] {
  const taken = new Set<string>();
  const isTwice = (type: string): boolean => taken.size === taken.add(type).size;
  return (next.spec?.limits ?? []).flatMap((item, i) => {
    const path = `spec.limits[${i}]`;
    const { type = '' } = item;
    return [
      ...checkType(`${path}.type`, type),
      ...(isTwice(type) ? [fieldError.duplicate(`${path}.type`, type)] : []),
      ...checkFields(path, item),
      ...checkNames(path, item, names),
      ...checkOrders(path, item, names),
    ];
  });
}

function checkType(path: string, type: string): readonly FieldError[] {
  const wrong = qualifiedName(type);
  if (wrong !== undefined) return [fieldError.invalid(path, type, wrong)];
  if (type.includes('/') || types.has(type)) return [];
  return [fieldError.invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function checkFields(path: string, item: LimitRangeItem): readonly FieldError[] {
  if (item.type === 'Pod') {
    return (['default', 'defaultRequest'] as const)
      .filter((field) => item[field] !== undefined)
      .map((field) => fieldError.forbidden(`${path}.${field}`, "may not be specified when `type` is 'Pod'"));
  }
  if (item.type !== 'PersistentVolumeClaim') return [];
  const bounded = (['min', 'max'] as const).some((field) => item[field]?.storage !== undefined);
  const why = 'either minimum or maximum storage value is required, but neither was provided';
  return bounded ? [] : [fieldError.required(`${path}.limits`, why)];
}

function checkNames(path: string, item: LimitRangeItem, names: Names): readonly FieldError[] {
  const ofContainers = item.type === 'Pod' || item.type === 'Container';
  // The lists mostly have the same names, since some are defaults for others.
  const valid = new Set<string>();
  const errors: FieldError[] = [];
  for (const list of lists) {
    for (const resource in item[list]) {
      if (valid.has(resource)) continue;
      const wrong = ofContainers ? containerResourceProblem(resource, names) : resourceNameProblem(resource);
      if (wrong === undefined) valid.add(resource);
      else errors.push(fieldError.invalid(`${path}.${list}[${resource}]`, resource, wrong));
    }
  }
  return errors;
}

function resourcesOf(item: LimitRangeItem): Iterable<string> {
  const resources = new Set<string>();
  for (const list of lists) for (const resource in item[list]) resources.add(resource);
  return resources;
}

/** Pairs of which the first must not exceed the second, and which of them is in error. */
const order: readonly (readonly [low: List, high: List, wrong: List, message: string])[] = [
  ['min', 'max', 'min', 'min value is greater than max value'],
  ['min', 'defaultRequest', 'defaultRequest', 'min value is greater than default request value'],
  ['defaultRequest', 'max', 'defaultRequest', 'default request value is greater than max value'],
  [
    'defaultRequest',
    'default',
    'defaultRequest',
    'default request value is greater than default limit value',
  ],
  ['min', 'default', 'default', 'min value is greater than default value'],
  ['default', 'max', 'default', 'default value is greater than max value'],
];

function checkOrders(path: string, item: LimitRangeItem, names: Names): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const resource of resourcesOf(item))
    if (!hasOneAmount(item, resource)) errors.push(...checkOrder(path, item, resource, names));
  return errors;
}

/** Reports whether all bounds and defaults of a resource have the same text, as those have that are defaults of each other. */
function hasOneAmount(item: LimitRangeItem, resource: string): boolean {
  if (item.maxLimitRequestRatio?.[resource] !== undefined) return false;
  let amount: string | undefined;
  for (const list of lists) {
    const text = item[list]?.[resource];
    if (text === undefined) continue;
    if (amount !== undefined && amount !== text) return false;
    amount = text;
  }
  return true;
}

function checkOrder(
  path: string,
  item: LimitRangeItem,
  resource: string,
  names: Names,
): readonly FieldError[] {
  const amounts = amountsFor(item, resource);
  const at = (list: List): string => `${path}.${list}[${resource}]`;
  const errors: FieldError[] = [];
  for (const [low, high, wrong, message] of order) {
    const below = amounts[low];
    const above = amounts[high];
    if (below === undefined || above === undefined || compareQuantities(below, above) <= 0) continue;
    errors.push(fieldError.invalid(at(wrong), item[wrong]?.[resource], message));
  }
  errors.push(...checkRatio(at('maxLimitRequestRatio'), amounts));
  const { default: limit, defaultRequest: request } = amounts;
  const fixed = !isOvercommitAllowed(resource, names);
  if (fixed && limit !== undefined && request !== undefined && compareQuantities(limit, request) !== 0) {
    const why = 'must be equal to the default limit, because the resource cannot be overcommitted';
    errors.push(fieldError.invalid(at('defaultRequest'), item.defaultRequest?.[resource], why));
  }
  return errors;
}

type AmountsByList = { readonly [L in List]?: Quantity };

function amountsFor(item: LimitRangeItem, resource: string): AmountsByList {
  const found: { [L in List]?: Quantity } = {};
  for (const list of lists) {
    const text = item[list]?.[resource] ?? '';
    if (text !== '') found[list] = parseQuantity(text);
  }
  return found;
}

function checkRatio(
  path: string,
  { maxLimitRequestRatio: ratio, min, max }: AmountsByList,
): readonly FieldError[] {
  if (ratio === undefined) return [];
  const value = quantityNumber(ratio);
  if (value < 1) return [fieldError.invalid(path, value, 'ratio is less than 1')];
  if (min === undefined || max === undefined) return [];
  const widest = quantityNumber(max) / quantityNumber(min);
  if (!(value > widest)) return [];
  return [fieldError.invalid(path, value, `ratio is greater than max/min = ${widest}`)];
}
