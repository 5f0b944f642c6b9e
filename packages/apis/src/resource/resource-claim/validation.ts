import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceClaim,
  DeviceRequestAllocationResult,
  ResourceClaimStatus,
} from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { cidr } from '@orch/machinery/formats';
import { jsonEquals } from '@orch/machinery/json';
import { checkUnique, checkUuid } from '../../validation-rules.ts';
import { checkBindingConditions } from '../shared/device/binding-conditions.ts';
import { checkDriverData } from '../shared/device/configuration.ts';
import { checkPoolName } from '../shared/device/names.ts';
import { checkSkippedOperations } from '../shared/device/skipped-operations.ts';
import { checkRequestName, checkRequestNames, requestNames } from '../shared/device-request/claim.ts';

type Identified = Pick<DeviceRequestAllocationResult, 'driver' | 'pool' | 'device' | 'shareID'>;

/** Identifies a device, or a share of one. */
export const deviceKey = ({ driver = '', pool = '', device = '', shareID }: Identified): string =>
  [driver, pool, device, ...(shareID === undefined ? [] : [shareID])].join('/');

const checkShare = (path: string, shareID: string | undefined): readonly FieldError[] =>
  shareID === undefined ? [] : checkUuid(`${path}.shareID`, shareID);

/** An address of an interface: `192.0.2.5/24`, whose host part need not be empty. */
function checkAddress(path: string, text: string): readonly FieldError[] {
  const slash = text.lastIndexOf('/');
  const bits = text.slice(0, slash).includes(':') ? 128 : 32;
  const isRange = cidr(`${text.slice(0, slash)}/${bits}`) === undefined;
  const isPrefix =
    /^(?:0|[1-9]\d{0,2})$/.test(text.slice(slash + 1)) && Number(text.slice(slash + 1)) <= bits;
  return slash > 0 && isRange && isPrefix
    ? []
    : [
        fieldError.invalid(
          path,
          text,
          'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
        ),
      ];
}

function checkReport(
  path: string,
  report: AllocatedDeviceStatus,
  allocated: ReadonlySet<string>,
): readonly FieldError[] {
  const key = deviceKey(report);
  const ips = report.networkData?.ips ?? [];
  return [
    ...checkPoolName(`${path}.pool`, report.pool),
    ...checkShare(path, report.shareID),
    ...(allocated.has(key)
      ? []
      : [fieldError.invalid(path, key, 'must be an allocated device in the claim')]),
    ...(report.data === undefined ? [] : checkDriverData(`${path}.data`, report.data)),
    ...ips.flatMap((text, i) => checkAddress(`${path}.networkData.ips[${i}]`, text)),
    ...checkUnique(`${path}.networkData.ips`, ips, String),
  ];
}

function checkAllocation(allocation: AllocationResult, claimed: DeviceClaim): readonly FieldError[] {
  const known = requestNames(claimed);
  const path = 'status.allocation.devices';
  const { results = [], config = [] } = allocation.devices ?? {};
  return [
    ...results.flatMap((result, i) => {
      const at = `${path}.results[${i}]`;
      return [
        ...checkRequestName(`${at}.request`, result.request ?? '', known),
        ...checkPoolName(`${at}.pool`, result.pool),
        ...checkBindingConditions(at, result),
        ...checkShare(at, result.shareID),
        ...checkSkippedOperations(`${at}.skipNodeOperations`, result.skipNodeOperations),
      ];
    }),
    ...config.flatMap(({ requests }, i) =>
      checkRequestNames(`${path}.config[${i}].requests`, requests, known),
    ),
  ];
}

/** An allocation is removed before another one takes its place. */
function checkChange(
  next: AllocationResult | undefined,
  old: AllocationResult | undefined,
  claimed: DeviceClaim,
): readonly FieldError[] {
  if (next === undefined) return [];
  if (old === undefined) return checkAllocation(next, claimed);
  return jsonEquals(next, old) ? [] : [fieldError.invalid('status.allocation', next, 'field is immutable')];
}

interface Claim {
  readonly devices: DeviceClaim;
  readonly isDeleted: boolean;
}

function checkConsumers(
  { reservedFor: next = [], allocation, deallocationRequested = false }: ResourceClaimStatus,
  { reservedFor: old = [] }: ResourceClaimStatus,
  isDeleted: boolean,
): readonly FieldError[] {
  const path = 'status.reservedFor';
  const duplicates = checkUnique(path, next, ({ uid = '' }) => uid);
  if (next.length === 0) return duplicates;
  if (allocation === undefined)
    return [...duplicates, fieldError.forbidden(path, 'may not be specified when `allocated` is not set')];
  const stored = new Map(old.map((consumer) => [consumer.uid, consumer]));
  const isExtended = next.some((consumer) => !jsonEquals(stored.get(consumer.uid), consumer));
  if (!isExtended || !(isDeleted || deallocationRequested)) return duplicates;
  const cause = deallocationRequested ? 'deallocationRequested' : 'deletionTimestamp';
  return [
    ...duplicates,
    fieldError.forbidden(path, `new entries may not be added while \`${cause}\` is set`),
  ];
}

/** Checks an update of the status. */
export function validateClaimStatus(
  next: ResourceClaimStatus,
  old: ResourceClaimStatus,
  { devices, isDeleted }: Claim,
): readonly FieldError[] {
  const allocated = new Set((next.allocation?.devices?.results ?? []).map(deviceKey));
  const reports = next.devices ?? [];
  return [
    ...checkConsumers(next, old, isDeleted),
    ...reports.flatMap((report, i) => checkReport(`status.devices[${i}]`, report, allocated)),
    ...checkUnique('status.devices', reports, deviceKey),
    ...checkChange(next.allocation, old.allocation, devices),
  ];
}
