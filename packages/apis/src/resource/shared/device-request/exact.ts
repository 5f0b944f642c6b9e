import type { ExactDeviceRequest } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { approximateNumber } from '@orch/machinery/json';
import { type Check, f, type StructSchema, struct } from '@orch/schema';
import { CapacityRequirements, consumable } from '../device/capacity.ts';
import { formatted } from '../device/required.ts';
import { selectorsField } from '../device/selector.ts';
import { tolerationsField } from '../device/taint.ts';
import { derivedAttributesField } from './derived-attribute.ts';

const EXACT = 'ExactCount';
const modes = ['All', EXACT];
const modeDoc = 'ExactCount, or All: all devices that match.';
const countDoc = 'How many devices, for ExactCount; 1 by default.';

export const requestNameField = f.string(1, {
  doc: 'Name of the request, by which others refer to it.',
  presence: 'always',
});

/** A request has a name. */
export const named = formatted('name', 'dns1123label');

type Counted = Pick<ExactDeviceRequest, 'allocationMode' | 'count'>;

const defaultCount = ({ allocationMode }: Counted): number | undefined =>
  allocationMode === EXACT ? 1 : undefined;

/** Checks that the number of devices fits the mode. */
export function checkCount(path: string, { allocationMode, count = 0 }: Counted): readonly FieldError[] {
  if (allocationMode === 'All' && count !== 0) {
    const why = `must not be specified when allocationMode is '${allocationMode}'`;
    return [fieldError.invalid(`${path}.count`, count, why)];
  }
  return allocationMode === EXACT && (approximateNumber(count) ?? 0) <= 0
    ? [fieldError.invalid(`${path}.count`, count, 'must be greater than zero')]
    : [];
}

const countedDevices: Check<Counted> = (request, { path }) => checkCount(path, request);

export const capacityField = (num: number) =>
  f.struct(num, CapacityRequirements, {
    doc: 'Capacities that each device must provide.',
    presence: 'pointer',
    ...consumable,
  });

export const adminAccessField = (num: number) =>
  f.bool(num, {
    doc: 'Whether the devices are allocated for their administration, even while others use them.',
    presence: 'pointer',
    gate: 'DRAAdminAccess',
    since: '1.34',
  });

export const classNameField = (num: number) =>
  f.string(num, {
    doc: 'Class of the devices.',
    presence: 'always',
    required: true,
    format: 'dns1123subdomain',
  });

/** Mode and number; `ofMode` is the mode of a request that names none. */
export const countFields = (first: number, ofMode: string | ((request: object) => string | undefined)) => ({
  allocationMode: f.string(first, {
    doc: modeDoc,
    default: ofMode,
    enum: modes,
    openapiEnum: { since: '1.35' },
  }),
  count: f.int64(first + 1, { doc: countDoc, default: defaultCount }),
});

export const ExactRequest = struct(
  'resource.v1.ExactDeviceRequest',
  'Devices of one class.',
  {
    deviceClassName: classNameField(1),
    selectors: selectorsField(2),
    ...countFields(3, EXACT),
    adminAccess: adminAccessField(5),
    tolerations: tolerationsField(6),
    capacity: capacityField(7),
    derivedAttributes: derivedAttributesField(8),
  },
  { checks: [countedDevices] },
);

/** A subrequest in a version; `capacity` is the Protobuf number of that field. */
const subRequestOf = (version: string, first: number): StructSchema =>
  struct(
    `resource.${version}.DeviceSubRequest`,
    'One of several alternatives of a request.',
    {
      name: requestNameField,
      deviceClassName: classNameField(2),
      selectors: selectorsField(3),
      ...countFields(4, EXACT),
      tolerations: tolerationsField(first),
      capacity: capacityField(first + 1),
      derivedAttributes: derivedAttributesField(first + 2),
    },
    { checks: [named, countedDevices] },
  );

const MAX_ALTERNATIVES = 8;

const alternatives = (num: number, subRequest: StructSchema) =>
  f.list(num, subRequest, {
    doc: 'Alternatives, in order of preference: the first one that can be satisfied counts.',
    listType: 'atomic',
    maxItems: MAX_ALTERNATIVES,
    gate: 'DRAPrioritizedList',
    since: '1.34',
  });

export const firstAvailable = alternatives(3, subRequestOf('v1', 6));
export const firstAvailableV1Beta1 = alternatives(7, subRequestOf('v1beta1', 7));
