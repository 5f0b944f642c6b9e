import type { Node } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { approximateNumber, jsonEquals } from '@orch/machinery/json';
import { rangeFormatIn } from '../../address-formats.ts';
import type { StrategyContext } from '../../resource-type.ts';
import { checkFormat } from '../../validation-rules.ts';
import { familyOf } from '../shared/validation/address-family.ts';
import { amountsOf, checkAmount } from '../shared/validation/resources.ts';
import { checkTaints } from '../shared/validation/scheduling.ts';

type Context = Pick<StrategyContext, 'since' | 'names'>;

/**
 * Checks taints, address ranges and amounts of a node. For compatibility, errors in taints have a path below metadata.
 */
export function validateNode(next: Node, context: Context): readonly FieldError[] {
  const spec = next.spec ?? {};
  return [
    ...checkTaints('metadata.taints', spec.taints ?? []),
    ...checkRanges(spec.podCIDRs ?? [], rangeFormatIn(context.since)),
    ...(context.since('1.33') ? [] : checkRepeatedRanges(spec.podCIDRs ?? [])),
    ...validateNodeStatus(next, context),
    ...checkSwap(next),
  ];
}

function checkRanges(ranges: readonly string[], format: string): readonly FieldError[] {
  const errors = ranges.flatMap((range, i) => checkFormat(format, `spec.podCIDRs[${i}]`, range));
  if (ranges.length < 2) return errors;
  if (errors.length === 0 && ranges.length === 2 && new Set(ranges.map(familyOf)).size === 2) return [];
  return [
    ...errors,
    fieldError.invalid('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family'),
  ];
}

/** Earlier releases name each range that repeats another one, too. */
function checkRepeatedRanges(ranges: readonly string[]): readonly FieldError[] {
  const taken = new Set<string>();
  return ranges.flatMap((range, i) =>
    taken.size === taken.add(range).size ? [fieldError.duplicate(`spec.podCIDRs[${i}]`, range)] : [],
  );
}

/** Checks amounts, features, and that no address is reported twice. */
export function validateNodeStatus(next: Node, { names }: Context): readonly FieldError[] {
  const status = next.status ?? {};
  const errors = (['capacity', 'allocatable'] as const).flatMap((list) =>
    amountsOf(status[list]).flatMap((entry) => checkAmount(`status.${list}.${entry.name}`, entry, names)),
  );
  errors.push(...checkFeatures(status.declaredFeatures ?? []));
  const taken = new Set<string>();
  (status.addresses ?? []).forEach((address, i) => {
    const key = `${address.type ?? ''} ${address.address ?? ''}`;
    if (taken.has(key)) errors.push(fieldError.duplicate(`status.addresses[${i}]`, address));
    taken.add(key);
  });
  return errors;
}

const featureName = /^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const MAX_FEATURE_NAME = 253;

/** Names of features begin with an upper-case letter, have parts separated by `/`, and are in order. */
const checkFeatures = (features: readonly string[]): readonly FieldError[] =>
  features.flatMap((feature, i) => {
    const path = `status.declaredFeatures[${i}]`;
    const errors: FieldError[] = [];
    if (feature.length > MAX_FEATURE_NAME || !featureName.test(feature))
      errors.push(
        fieldError.invalid(path, feature, 'must be words in camel case, such as MyFeature/mySubFeature'),
      );
    const previous = i === 0 ? undefined : features[i - 1];
    if (previous === feature) errors.push(fieldError.duplicate(path, feature));
    else if (previous !== undefined && previous > feature)
      errors.push(fieldError.invalid(path, feature, 'list must be sorted alphabetically'));
    return errors;
  });

/** The size of swap memory is positive. For compatibility, the error has a path below metadata. */
function checkSwap({ status }: Node): readonly FieldError[] {
  const capacity = status?.nodeInfo?.swap?.capacity;
  return capacity === undefined || (approximateNumber(capacity) ?? 0) > 0
    ? []
    : [fieldError.invalid('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than 0')];
}

/** Checks that ranges and identity are set only once; only fields for the scheduler may change freely. */
export function validateNodeUpdate(next: Node, old: Node, { since }: Context): readonly FieldError[] {
  const spec = next.spec ?? {};
  const before = old.spec ?? {};
  const errors: FieldError[] = [];
  const given = (field: 'podCIDRs' | 'providerID'): boolean =>
    before[field] !== undefined && !jsonEquals(spec[field], before[field]);
  if (given('podCIDRs')) {
    errors.push(
      fieldError.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'),
    );
  }
  if (given('providerID')) {
    const path = 'spec.providerID';
    const does = spec.providerID === undefined ? 'cleared' : 'modified';
    errors.push(
      since('1.37')
        ? fieldError.invalid(path, null, `field cannot be ${does} once set`)
        : fieldError.forbidden(path, 'node updates may not change providerID except from "" to valid'),
    );
  }
  if (!jsonEquals(spec.externalID, before.externalID)) {
    errors.push(
      fieldError.forbidden('spec.externalID', 'node updates may only change labels, taints, or capacity'),
    );
  }
  return errors;
}
