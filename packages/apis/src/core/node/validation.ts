import type { Node } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { quantitySign } from '@orch/machinery/quantity';
import { rangeFormatIn } from '../../address-formats.ts';
import type { StrategyContext } from '../../resource-type.ts';
import { checkFormat } from '../../validation-rules.ts';
import { familyOf } from '../shared/validation/address-family.ts';
import { amountsOf } from '../shared/validation/resources.ts';
import { checkTaints } from '../shared/validation/scheduling.ts';

/**
 * Checks taints, address ranges and amounts of a node. For compatibility, errors in taints have a path below metadata.
 */
export function validateNode(next: Node, { since }: Pick<StrategyContext, 'since'>): readonly FieldError[] {
  const spec = next.spec ?? {};
  return [
    ...checkTaints('metadata.taints', spec.taints ?? []),
    ...checkRanges(spec.podCIDRs ?? [], rangeFormatIn(since)),
    ...validateNodeStatus(next),
  ];
}

function checkRanges(ranges: readonly string[], format: string): readonly FieldError[] {
  const errors = ranges.flatMap((range, i) => checkFormat(format, `spec.podCIDRs[${i}]`, range));
  if (errors.length > 0 || ranges.length < 2) return errors;
  if (ranges.length === 2 && new Set(ranges.map(familyOf)).size === 2) return [];
  return [
    fieldError.invalid('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family'),
  ];
}

/** Checks that amounts are not negative, and that no address is reported twice. */
export function validateNodeStatus(next: Node): readonly FieldError[] {
  const status = next.status ?? {};
  const errors = (['capacity', 'allocatable'] as const).flatMap((list) =>
    amountsOf(status[list])
      .filter(({ amount }) => quantitySign(amount) < 0)
      .map(({ name, text }) =>
        fieldError.invalid(`status.${list}.${name}`, text, 'must be greater than or equal to 0'),
      ),
  );
  const taken = new Set<string>();
  (status.addresses ?? []).forEach((address, i) => {
    const key = `${address.type ?? ''} ${address.address ?? ''}`;
    if (taken.has(key)) errors.push(fieldError.duplicate(`status.addresses[${i}]`, address));
    taken.add(key);
  });
  return errors;
}

/** Checks that ranges and identity are set only once; only fields for the scheduler may change freely. */
export function validateNodeUpdate(next: Node, old: Node): readonly FieldError[] {
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
    errors.push(
      fieldError.forbidden(
        'spec.providerID',
        'node updates may not change providerID except from "" to valid',
      ),
    );
  }
  if (!jsonEquals(spec.externalID, before.externalID)) {
    errors.push(
      fieldError.forbidden('spec.externalID', 'node updates may only change labels, taints, or capacity'),
    );
  }
  return errors;
}
