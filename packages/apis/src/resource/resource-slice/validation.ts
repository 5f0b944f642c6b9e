import type {
  Device,
  ResourceSliceSpec,
  ResourceSliceSpecV1alpha3,
  ResourceSliceSpecV1beta1,
} from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check, CheckContext } from '@orch/schema';
import { checkDriverName, checkUnique } from '../../validation-rules.ts';
import { isListed } from '../shared/device/attribute.ts';
import { checkDevice } from '../shared/device/device.ts';
import { checkFullyQualifiedName, checkPoolName } from '../shared/device/names.ts';
import { checkSkippedOperations } from '../shared/device/skipped-operations.ts';

const MAX_DEVICES = 128;
const MAX_ADVANCED_DEVICES = 64;

/** Where devices can be used: `nodeName`, `nodeSelector` and so on, of a slice or a device. */
type Places = Pick<ResourceSliceSpec, 'nodeName' | 'nodeSelector' | 'allNodes' | 'perDeviceNodeSelection'>;
const places = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'] as const;

const placesOf = (value: Places): readonly string[] =>
  places.filter((name) => value[name] !== undefined && value[name] !== '' && value[name] !== false);

/** Values that are neither absent nor say something. */
const checkUnset = (path: string, value: Places): readonly FieldError[] => [
  ...(value.nodeName === ''
    ? [fieldError.invalid(`${path}.nodeName`, '', 'must be either unset or set to a non-empty string')]
    : []),
  ...(['allNodes', 'perDeviceNodeSelection'] as const).flatMap((name) =>
    value[name] === false
      ? [fieldError.invalid(`${path}.${name}`, false, 'must be either unset or set to true')]
      : [],
  ),
];

function checkOnePlace(path: string, value: Places, allowed: readonly string[]): readonly FieldError[] {
  const set = placesOf(value);
  if (set.length === 1) return [];
  const why = `exactly one of ${allowed.map((name) => `\`${name}\``).join(', ')} is required`;
  return [
    set.length === 0
      ? fieldError.required(path, why)
      : fieldError.invalid(path, set.join(), `${why}, but multiple fields are set`),
  ];
}

function checkDevicePlace(path: string, device: Device, isPerDevice: boolean): readonly FieldError[] {
  if (isPerDevice) return [...checkUnset(path, device), ...checkOnePlace(path, device, places.slice(0, -1))];
  return places.some((name) => name in device)
    ? [
        fieldError.invalid(
          path,
          null,
          '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
        ),
      ]
    : [];
}

/** Devices with features whose evaluation takes long: a slice may have fewer of them. */
const isAdvanced = ({ attributes = {}, taints = [], consumesCounters = [] }: Device): boolean =>
  taints.length > 0 || consumesCounters.length > 0 || Object.values(attributes).some(isListed);

function checkDevices(
  path: string,
  devices: readonly Device[],
  { isPerDevice, below }: { readonly isPerDevice: boolean; readonly below: string },
): readonly FieldError[] {
  const most = devices.some(isAdvanced) ? MAX_ADVANCED_DEVICES : MAX_DEVICES;
  if (devices.length > most) return [fieldError.tooMany(path, devices.length, most)];
  return [
    ...devices.flatMap((device, i) => [
      ...checkDevice(`${path}[${i}]${below}`, device),
      ...checkDevicePlace(`${path}[${i}]${below}`, device, isPerDevice),
    ]),
    ...checkUnique(path, devices, ({ name = '' }) => name),
  ];
}

interface Before {
  readonly path: string;
  readonly old: Pick<ResourceSliceSpec, 'pool'> | undefined;
}

function checkPool(
  { pool = {} }: Pick<ResourceSliceSpec, 'pool'>,
  { path, old }: Before,
): readonly FieldError[] {
  const at = `${path}.pool.name`;
  return [
    ...checkPoolName(at, pool.name),
    ...(old === undefined || old.pool?.name === pool.name
      ? []
      : [fieldError.invalid(at, pool.name, 'field is immutable')]),
  ];
}

function checkNodes(path: string, spec: Places): readonly FieldError[] {
  const terms = spec.nodeSelector?.nodeSelectorTerms ?? [];
  return [
    ...checkOnePlace(path, spec, places),
    ...(spec.nodeSelector !== undefined && terms.length !== 1
      ? [
          fieldError.invalid(
            `${path}.nodeSelector.nodeSelectorTerms`,
            terms.length,
            'must have exactly one node selector term',
          ),
        ]
      : []),
  ];
}

function checkContent(
  path: string,
  { devices, sharedCounters = [] }: ResourceSliceSpec,
): readonly FieldError[] {
  return [
    ...(sharedCounters.length > 0 && (devices ?? []).length > 0
      ? [fieldError.invalid(path, '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...checkUnique(`${path}.sharedCounters`, sharedCounters, ({ name = '' }) => name),
  ];
}

/** Devices that consume counters have the attribute that names the type of the partition, a text. */
function checkPartitionType(path: string, below: string, spec: ResourceSliceSpec): readonly FieldError[] {
  const { partitionTypeAttribute: name, driver = '', devices } = spec;
  if (name === undefined) return [];
  const at = `${path}.partitionTypeAttribute`;
  const partitions = (devices ?? [])
    .map((device, i) => ({ device, i }))
    .filter(({ device }) => isPartition(device));
  if (partitions.length === 0)
    return [
      fieldError.invalid(at, name, 'may only be set on a slice which declares devices that consume counters'),
    ];
  const wrong = checkFullyQualifiedName(at, name);
  if (wrong.length > 0) return wrong;
  const bare = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name;
  return partitions.flatMap(({ device: { attributes = {} }, i }) => {
    const where = `${path}.devices[${i}]${below}.attributes[${name}]`;
    const attribute = attributes[name] ?? attributes[bare];
    if (attribute === undefined) return [fieldError.required(where, 'devices that consume counters have it')];
    return attribute.string === undefined
      ? [fieldError.invalid(where, attribute, 'must be a string value')]
      : [];
  });
}

/** Before 1.35 an empty driver is reported as required and as not of the format. */
const checkEmptyDriver = (
  path: string,
  driver: string,
  { since }: Pick<CheckContext, 'since'>,
): readonly FieldError[] =>
  driver === '' && !since('1.35') ? checkDriverName(`${path}.driver`, driver) : [];

const isPartition = ({ consumesCounters = [] }: Device): boolean => consumesCounters.length > 0;

export const checkSlice: Check<ResourceSliceSpec> = (spec, { path, old, since }) => [
  ...checkEmptyDriver(path, spec.driver ?? '', { since }),
  ...checkPool(spec, { path, old }),
  ...checkUnset(path, spec),
  ...checkNodes(path, spec),
  ...checkContent(path, spec),
  ...checkDevices(`${path}.devices`, spec.devices ?? [], {
    isPerDevice: spec.perDeviceNodeSelection === true,
    below: '',
  }),
  ...checkPartitionType(path, '', spec),
  ...checkSkippedOperations(`${path}.skipNodeOperations`, spec.skipNodeOperations),
];

/** In the first versions, `false` and an empty node name mean the same as an absent field. */
function checkFirstVersion(
  spec: ResourceSliceSpec,
  { path, old, since }: Before & Pick<CheckContext, 'since'>,
): readonly FieldError[] {
  const { perDeviceNodeSelection } = spec;
  return [
    ...checkEmptyDriver(path, spec.driver ?? '', { since }),
    ...checkPool(spec, { path, old }),
    ...checkUnset(path, perDeviceNodeSelection === undefined ? {} : { perDeviceNodeSelection }),
    ...checkNodes(path, spec),
    ...checkContent(path, spec),
    ...checkDevices(`${path}.devices`, spec.devices ?? [], {
      isPerDevice: perDeviceNodeSelection === true,
      below: '.basic',
    }),
    ...checkPartitionType(path, '.basic', spec),
    ...checkSkippedOperations(`${path}.skipNodeOperations`, spec.skipNodeOperations),
  ];
}

export const checkSliceV1Beta1: Check<ResourceSliceSpecV1beta1> = (spec, { path, old, since }) => {
  const devices = (spec.devices ?? []).map(({ name = '', basic = {} }): Device => ({ name, ...basic }));
  return checkFirstVersion({ ...spec, devices }, { path, old, since });
};

/** In the alpha version, capacities are mere quantities. */
export const checkSliceV1Alpha3: Check<ResourceSliceSpecV1alpha3> = (spec, { path, old, since }) => {
  const devices = (spec.devices ?? []).map(({ name = '', basic = {} }): Device => {
    const capacity = Object.entries(basic.capacity ?? {}).map(([key, value]) => [key, { value }]);
    return { name, ...basic, capacity: Object.fromEntries(capacity) };
  });
  return checkFirstVersion({ ...spec, devices }, { path, old, since });
};
