import { isJsonObject } from '@orch/machinery/json';
import { type Check, f, items, struct } from '@orch/schema';
import { checkFormat } from '../../../validation-rules.ts';

const MAX_SETS = 8;
const MAX_CONSUMPTIONS = 2;
const MAX_COUNTERS = 32;
const MAX_GROUPS = 2;
export const partitionable = { gate: 'DRAPartitionableDevices', since: '1.36' } as const;

const Counter = struct('resource.v1.Counter', 'An amount.', {
  value: f.quantity(1, { doc: 'The amount.', presence: 'always' }),
});

const counters = f.map(2, Counter, {
  doc: 'Amounts by name.',
  required: true,
  openapiRequired: true,
  maxItems: MAX_COUNTERS,
});

/** Checks the names of counters; errors name the map. */
const checkCounterNames: Check = ({ counters: amounts }, { path }) =>
  isJsonObject(amounts)
    ? Object.keys(amounts).flatMap((name) => checkFormat('dns1123label', `${path}.counters`, name))
    : [];

const CounterSet = struct(
  'resource.v1.CounterSet',
  'Amounts that devices of a pool share.',
  {
    name: f.string(1, {
      doc: 'Name of the set, unique in the pool.',
      presence: 'always',
      required: true,
      format: 'dns1123label',
    }),
    counters,
  },
  { checks: [checkCounterNames] },
);

const CounterConsumption = struct(
  'resource.v1.DeviceCounterConsumption',
  'What a device takes from a set of counters when it is allocated.',
  {
    counterSet: f.string(1, {
      doc: 'Name of the set.',
      presence: 'always',
      required: true,
      format: 'dns1123label',
    }),
    counters,
    compatibilityGroups: f.list(3, items.string, {
      doc: 'Devices that consume from the same set are allocated at the same time only if they share a group.',
      listType: 'atomic',
      maxItems: MAX_GROUPS,
      format: 'dns1123label',
      uniqueBy: '',
      gate: 'DRADeviceCompatibilityGroups',
      since: 'never',
    }),
  },
  { checks: [checkCounterNames] },
);

export const sharedCountersField = f.list(8, CounterSet, {
  doc: 'Counters that the devices of the pool consume; not in a slice with devices.',
  listType: 'atomic',
  maxItems: MAX_SETS,
  ...partitionable,
});

export const consumesCountersField = (num: number) =>
  f.list(num, CounterConsumption, {
    doc: 'Counters that it consumes.',
    listType: 'atomic',
    maxItems: MAX_CONSUMPTIONS,
    ...partitionable,
  });
