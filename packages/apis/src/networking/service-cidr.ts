import type * as networking from '@orch/kinds/networking';
import { type FieldError, fieldError } from '@orch/machinery';
import { cidr } from '@orch/machinery/formats';
import { f, items, struct } from '@orch/schema';
import { familyOf } from '../core/shared/validation/address-family.ts';
import { defineResource, statusSubresource, strategyOf } from '../define-resource.ts';
import { Condition } from '../meta/condition.ts';
import { metadataField, specField, statusField } from '../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { keepStatus, restoreAllButStatus, restoreMetadata } from '../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../table.ts';

const MAX_RANGES = 2;

const ServiceCIDRSpec = struct('networking.v1.ServiceCIDRSpec', 'Ranges of the addresses of services.', {
  cidrs: f.list(1, items.string, {
    doc: 'Ranges, at most one of each address family. One of the other family can be added later.',
    listType: 'atomic',
  }),
});

const ServiceCIDRStatus = struct('networking.v1.ServiceCIDRStatus', 'Observed state of the ranges.', {
  conditions: f.list(1, Condition, {
    doc: 'Aspects of their state, by type, such as Ready.',
    listType: 'map',
    mapKeys: ['type'],
    patchStrategy: 'merge',
    patchMergeKey: 'type',
  }),
});

export const ServiceCIDR = struct(
  'networking.v1.ServiceCIDR',
  'Ranges from which services get addresses.',
  {
    metadata: metadataField,
    spec: specField(ServiceCIDRSpec),
    status: statusField(ServiceCIDRStatus),
  },
  { typeMeta: true },
);

const at = 'spec.cidrs';

function checkRanges(ranges: readonly string[]): readonly FieldError[] {
  if (ranges.length === 0) return [fieldError.required(at, 'at least one CIDR required')];
  if (ranges.length > MAX_RANGES)
    return [fieldError.invalid(at, ranges, `may only hold up to ${MAX_RANGES} values`)];
  const errors = ranges.flatMap((range, i) => {
    const wrong = cidr(range);
    return wrong === undefined ? [] : [fieldError.invalid(`${at}[${i}]`, range, wrong)];
  });
  if (errors.length > 0 || new Set(ranges.map(familyOf)).size === ranges.length) return errors;
  const why = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  return [fieldError.invalid(at, ranges, why)];
}

/** A range cannot change; a second one can be added. */
function validateServiceCidr(
  next: networking.ServiceCIDR,
  old: networking.ServiceCIDR | undefined,
): readonly FieldError[] {
  const ranges = next.spec?.cidrs ?? [];
  if (old === undefined) return checkRanges(ranges);
  const before = old.spec?.cidrs ?? [];
  const isExtended = before.length === 1 && ranges.length === MAX_RANGES;
  if (ranges.length !== before.length && !isExtended)
    return [fieldError.invalid(at, ranges, 'field is immutable')];
  const changed = before.flatMap((range, i) =>
    ranges[i] === range ? [] : [fieldError.invalid(`${at}[${i}]`, ranges[i], 'field is immutable')],
  );
  return isExtended ? [...changed, ...checkRanges(ranges)] : changed;
}

const serviceCidrTable: TableDefinition<networking.ServiceCIDR> = {
  columns: [nameColumn, column('CIDRs', 'Ranges of addresses.'), ageColumn],
  cells: (object) => [nameCell(object), (object.spec?.cidrs ?? []).join(','), ageCell(object)],
};

export const serviceCidrs: ResourceType = defineResource({
  group: 'networking',
  resource: 'servicecidrs',
  kind: 'ServiceCIDR',
  namespaced: false,
  versions: [
    { version: 'v1', schema: ServiceCIDR, introduced: '1.33' },
    {
      version: 'v1beta1',
      schema: ServiceCIDR,
      introduced: '1.31',
      deprecated: '1.34',
      removed: '1.37',
      servedByDefault: false,
      replacement: 'none',
    },
    {
      version: 'v1alpha1',
      schema: ServiceCIDR,
      introduced: '1.29',
      deprecated: '1.30',
      removed: '1.33',
      replacement: 'none',
    },
  ],
  table: serviceCidrTable,
  strategy: strategyOf<networking.ServiceCIDR>({
    resetStatus: true,
    prepareForUpdate: keepStatus,
    validate: validateServiceCidr,
    through: {
      status: {
        prepareForUpdate(next, old, { since }) {
          restoreAllButStatus(next, old);
          if (since('1.32')) restoreMetadata(next, old);
        },
      },
    },
  }),
  subresources: [statusSubresource('ServiceCIDR', 'networking')],
});
