import type {
  PoolStatusV1alpha3 as Pool,
  ResourcePoolStatusRequestSpecV1alpha3 as RequestSpec,
} from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, type FieldOptions, f, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import { checkUnique, driverName, uniqueItems } from '../../validation-rules.ts';
import { checkFullyQualifiedName, checkPoolName } from '../shared/device/names.ts';

const DEFAULT_LIMIT = 100;
const MAX_POOLS = 1000;
const MAX_CONDITIONS = 10;
const MAX_SUMMARIES = 32;
const MAX_ERROR_BYTES = 256;
const LATER = { since: '1.37' } as const;

/** Checks a name of a pool that may be absent, but not empty. */
function checkPool(path: string, name: string | undefined): readonly FieldError[] {
  if (name === '') return [fieldError.invalid(path, name, 'must not be empty')];
  return name === undefined ? [] : checkPoolName(path, name);
}

const checkSpec: Check<RequestSpec> = ({ poolName, defaultPartitionTypeAttribute: attribute }, { path }) => [
  ...checkPool(`${path}.poolName`, poolName),
  ...(attribute === undefined
    ? []
    : checkFullyQualifiedName(`${path}.defaultPartitionTypeAttribute`, attribute)),
];

const Spec = struct(
  'resource.v1alpha3.ResourcePoolStatusRequestSpec',
  'The pools whose state is requested.',
  {
    driver: f.string(1, { doc: 'Driver of the pools.', presence: 'always', required: true }),
    poolName: f.string(2, {
      doc: 'Name of the pool; all pools of the driver without it.',
      presence: 'pointer',
    }),
    limit: f.int32(3, {
      doc: 'Largest number of pools in the status.',
      presence: 'pointer',
      default: DEFAULT_LIMIT,
      min: 1,
      max: MAX_POOLS,
    }),
    defaultPartitionTypeAttribute: f.string(4, {
      doc: 'Attribute by which the partitions of devices are summarized whose slice names none.',
      presence: 'pointer',
      gate: 'DRAPartitionableDevicesType',
      since: 'never',
    }),
  },
  { checks: [driverName('driver'), checkSpec] },
);

const count = (num: number, doc: string, options: FieldOptions = {}) =>
  f.int32(num, { doc, presence: 'pointer', min: 0, ...options });
const requiredCount = (num: number, doc: string) =>
  count(num, doc, { required: true, openapiRequired: true });
const requiredText = (num: number, doc: string) =>
  f.string(num, { doc, required: true, openapiRequired: true });
const requiredAmount = (num: number, doc: string) =>
  f.quantity(num, { doc, presence: 'pointer', required: true, openapiRequired: true });

const PartitionTypeStatus = struct(
  'resource.v1alpha3.PartitionTypeStatus',
  'How many partitions of a type can be allocated.',
  {
    attribute: requiredText(4, 'Attribute whose value is the type.'),
    type: requiredText(1, 'Type of the partitions, such as Half.'),
    total: requiredCount(2, 'Number of partitions of the type.'),
    allocatable: requiredCount(3, 'Number of partitions of the type that can still be allocated.'),
  },
);

const ShareableCapacityStatus = struct(
  'resource.v1alpha3.ShareableCapacityStatus',
  'Amounts of a capacity of shared devices.',
  {
    name: requiredText(1, 'Name of the capacity.'),
    total: requiredAmount(2, 'Amount of all devices.'),
    consumed: requiredAmount(3, 'Allocated amount.'),
    available: requiredAmount(4, 'Amount that can still be allocated.'),
  },
);

const ShareableSummaryStatus = struct(
  'resource.v1alpha3.ShareableSummaryStatus',
  'The state of devices that can be allocated several times.',
  {
    fullyAvailableDevices: requiredCount(1, 'Number of devices that nobody uses.'),
    partiallyAvailableDevices: requiredCount(2, 'Number of devices of which a part is available.'),
    capacity: f.list(3, ShareableCapacityStatus, {
      doc: 'Amounts by capacity.',
      listType: 'atomic',
      maxItems: MAX_SUMMARIES,
    }),
  },
);

const checkPoolStatus: Check<Pool> = ({ poolName = '', partitionSummary = [] }, { path }) => [
  ...(poolName === '' ? [] : checkPoolName(`${path}.poolName`, poolName)),
  ...checkUnique(`${path}.partitionSummary`, partitionSummary, ({ attribute, type }) =>
    JSON.stringify({ attribute, type }),
  ),
];

const PoolStatus = struct(
  'resource.v1alpha3.PoolStatus',
  'The state of a pool.',
  {
    driver: requiredText(1, 'Driver of the pool.'),
    poolName: requiredText(2, 'Name of the pool.'),
    generation: f.int64(9, {
      doc: 'Latest generation of the pool among its slices.',
      presence: 'always',
      required: true,
      min: 0,
    }),
    resourceSliceCount: count(8, 'Number of slices of the pool.', { min: 1 }),
    totalDevices: count(4, 'Number of devices.'),
    allocatedDevices: count(5, 'Number of allocated devices.'),
    availableDevices: count(6, 'Number of devices that can be allocated.'),
    unavailableDevices: count(
      7,
      'Number of devices that are neither allocated nor available, such as tainted ones.',
    ),
    nodeName: f.string(3, {
      doc: 'Node that the pool belongs to.',
      presence: 'pointer',
      format: 'dns1123subdomain',
    }),
    validationError: f.string(10, {
      doc: 'The reason why the state of the pool is not known completely.',
      presence: 'pointer',
      maxBytes: MAX_ERROR_BYTES,
    }),
    partitionSummary: f.list(11, PartitionTypeStatus, {
      doc: 'Partitions that can be allocated, by attribute and type.',
      listType: 'atomic',
      maxItems: MAX_SUMMARIES,
      ...LATER,
    }),
    shareableSummary: f.struct(13, ShareableSummaryStatus, {
      doc: 'Devices that can be allocated several times.',
      presence: 'pointer',
      ...LATER,
    }),
  },
  { checks: [driverName('driver'), checkPoolStatus] },
);

const Status = struct(
  'resource.v1alpha3.ResourcePoolStatusRequestStatus',
  'The state of the requested pools.',
  {
    poolCount: requiredCount(6, 'Number of pools that match, also those that are left out.'),
    pools: f.list(2, PoolStatus, {
      doc: 'The first pools that match, by driver and name.',
      listType: 'atomic',
      maxItems: MAX_POOLS,
    }),
    conditions: f.list(3, Condition, {
      doc: 'Complete or Failed.',
      listType: 'map',
      mapKeys: ['type'],
      patchStrategy: 'merge',
      patchMergeKey: 'type',
      maxItems: MAX_CONDITIONS,
    }),
  },
  { checks: [uniqueItems('conditions', 'type')] },
);

export const ResourcePoolStatusRequest = struct(
  'resource.v1alpha3.ResourcePoolStatusRequest',
  'Asks once for the state of pools of devices; another state needs another request.',
  {
    metadata: { ...metadataField, openapiRequired: true },
    spec: f.struct(2, Spec, {
      doc: 'The requested pools; it cannot change.',
      presence: 'always',
      openapiRequired: true,
      immutable: true,
    }),
    status: f.struct(3, Status, {
      doc: 'The state of the pools; it completes the request and cannot change.',
      presence: 'pointer',
    }),
  },
  { typeMeta: true },
);
