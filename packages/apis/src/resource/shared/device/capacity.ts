import type { CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { addQuantities, compareQuantities, parseQuantity, quantityInteger } from '@orch/machinery/quantity';
import { f, items, struct } from '@orch/schema';
import { checkUnique } from '../../../validation-rules.ts';

const MAX_VALUES = 10;
export const consumable = { gate: 'DRAConsumableCapacity', since: '1.36' } as const;

const PolicyRange = struct('resource.v1.CapacityRequestPolicyRange', 'Amounts from a minimum on, in steps.', {
  min: f.quantity(1, {
    doc: 'Smallest amount; smaller requests are rounded up.',
    presence: 'pointer',
    openapiRequired: true,
  }),
  max: f.quantity(2, { doc: 'Largest amount.', presence: 'pointer' }),
  step: f.quantity(3, {
    doc: 'Amounts are the minimum and a multiple of it; requests are rounded up.',
    presence: 'pointer',
  }),
});

const Policy = struct(
  'resource.v1.CapacityRequestPolicy',
  'How a capacity is requested, when several requests share the device.',
  {
    default: f.quantity(1, {
      doc: 'Amount for requests that do not name the capacity.',
      presence: 'always',
      nullable: true,
      openapiRequired: false,
    }),
    validValues: f.list(3, items.quantity, {
      doc: 'Possible amounts, in ascending order; requests are rounded up.',
      listType: 'atomic',
      maxItems: MAX_VALUES,
    }),
    validRange: f.struct(4, PolicyRange, { doc: 'Range of possible amounts.', presence: 'pointer' }),
  },
);

export const Capacity = struct('resource.v1.DeviceCapacity', 'An amount of something that a device has.', {
  value: f.quantity(1, { doc: 'The amount.', presence: 'always' }),
  requestPolicy: f.struct(2, Policy, {
    doc: 'How it is requested; only for devices that can be allocated several times.',
    presence: 'pointer',
    ...consumable,
  }),
});

export const CapacityRequirements = struct('resource.v1.CapacityRequirements', 'Requested capacities.', {
  requests: f.map(1, items.quantity, { doc: 'Amounts by the names of capacities.' }),
});

const compare = (a: string, b: string): number => compareQuantities(parseQuantity(a), parseQuantity(b));

const isMultiple = (value: string, min: string, step: string): boolean => {
  const size = quantityInteger(parseQuantity(step));
  if (size === 0n) return false;
  return (quantityInteger(parseQuantity(value)) - quantityInteger(parseQuantity(min))) % size === 0n;
};

function checkValues(
  path: string,
  values: readonly string[],
  { most, usual }: Bounds,
): readonly FieldError[] {
  const at = `${path}.validValues`;
  return [
    ...values.flatMap((value, i) => [
      ...(i > 0 && compare(values[i - 1] ?? value, value) > 0
        ? [fieldError.invalid(`${at}[${i}]`, value, 'values must be sorted in ascending order')]
        : []),
      ...(compare(value, most) > 0
        ? [fieldError.invalid(`${at}[${i}]`, value, `option is larger than capacity value: ${most}`)]
        : []),
    ]),
    ...checkUnique(at, values, (value) => String(quantityInteger(parseQuantity(value)))),
    ...(values.some((value) => compare(value, usual) === 0)
      ? []
      : [fieldError.invalid(at, usual, 'default value is not valid according to the requestPolicy')]),
  ];
}

/** The whole capacity, and the amount of requests that do not name it. */
interface Bounds {
  readonly most: string;
  readonly usual: string;
}

function checkStep(path: string, { min = '0', max, step }: CapacityRequestPolicyRange, bounds: Bounds) {
  if (step === undefined) return [];
  const first = addQuantities(parseQuantity(min), parseQuantity(step));
  return [
    ...(compareQuantities(first, parseQuantity(bounds.most)) > 0
      ? [fieldError.invalid(path, step, `one step is larger than capacity value: ${bounds.most}`)]
      : []),
    ...[bounds.usual, ...(max === undefined ? [] : [max])].flatMap((value) =>
      isMultiple(value, min, step)
        ? []
        : [
            fieldError.invalid(
              path,
              value,
              `value is not a multiple of a given step (${step}) from (${min})`,
            ),
          ],
    ),
  ];
}

function checkRange(path: string, range: CapacityRequestPolicyRange, bounds: Bounds): readonly FieldError[] {
  const { min, max } = range;
  if (min === undefined) return [fieldError.required(`${path}.min`, 'required when validRange is defined')];
  const { most, usual } = bounds;
  const larger = (field: string, value: string, than: string, why: string): readonly FieldError[] =>
    compare(value, than) > 0 ? [fieldError.invalid(`${path}.${field}`, value, `${why}: ${than}`)] : [];
  return [
    ...larger('min', min, most, 'min is larger than capacity value'),
    ...larger('min', min, usual, 'min is larger than the default'),
    ...(max === undefined
      ? []
      : [
          ...larger('max', min, max, 'min is larger than max'),
          ...larger('max', max, most, 'max is larger than capacity value'),
          ...larger('max', usual, max, 'default is more than max'),
        ]),
    ...checkStep(`${path}.step`, range, bounds),
  ];
}

function checkPolicy(path: string, most: string, policy: CapacityRequestPolicy): readonly FieldError[] {
  const { default: usual, validValues = [], validRange } = policy;
  if (validValues.length > 0 && validRange !== undefined)
    return [fieldError.forbidden(path, 'may not specify both `validValues` and `validRange`')];
  if (validValues.length === 0 && validRange === undefined) return [];
  if (usual === undefined || usual === null) {
    const why = `required when ${validRange === undefined ? 'validValues' : 'validRange'} is defined`;
    return [fieldError.required(`${path}.default`, why)];
  }
  const bounds = { most, usual };
  return validRange === undefined
    ? checkValues(path, validValues, bounds)
    : checkRange(`${path}.validRange`, validRange, bounds);
}

/** Checks a capacity of a device that can be allocated once, or several times. */
export function checkCapacity(
  path: string,
  { value = '0', requestPolicy }: DeviceCapacity,
  isShared: boolean,
): readonly FieldError[] {
  if (requestPolicy === undefined) return [];
  return isShared
    ? checkPolicy(`${path}.requestPolicy`, value, requestPolicy)
    : [fieldError.forbidden(`${path}.requestPolicy`, 'allowMultipleAllocations must be true')];
}
