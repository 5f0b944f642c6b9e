import type { Draft } from '@orch/kinds/draft';
import type { ResourceSlice as Slice } from '@orch/kinds/resource';
import { isJsonObject } from '@orch/machinery/json';
import { type Lens, lossless, within } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import type { ResourceType, StrategyContext, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { earlierVersions } from '../shared/versions.ts';
import { ResourceSlice, ResourceSliceV1Alpha3, ResourceSliceV1Beta1 } from './schemas.ts';

/** What later versions have in the device itself is in `basic` in the first version. */
const deviceLens: Lens = {
  toHub(device) {
    const { basic } = device;
    delete device['basic'];
    Object.assign(device, basic);
  },
  fromHub(device) {
    const { name, ...basic } = device;
    for (const field of Object.keys(basic)) delete device[field];
    device['basic'] = basic;
  },
};

/** Capacities of the alpha version are mere quantities. */
const alphaDeviceLens: Lens = {
  toHub(device, scope) {
    deviceLens.toHub(device, scope);
    const { capacity } = device;
    if (!isJsonObject(capacity)) return;
    device['capacity'] = Object.fromEntries(
      Object.entries(capacity).map(([name, value]) => [name, { value }]),
    );
  },
  fromHub(device, scope) {
    const { capacity } = device;
    if (isJsonObject(capacity))
      device['capacity'] = Object.fromEntries(
        Object.entries(capacity).map(([name, amount]) => [
          name,
          isJsonObject(amount) ? amount['value'] : amount,
        ]),
      );
    deviceLens.fromHub(device, scope);
  },
};

const resourceSliceTable: TableDefinition<Slice> = {
  columns: [
    nameColumn,
    column('Node', 'Node from which the devices can be used.'),
    column('Driver', 'Driver of the devices.'),
    column('Pool', 'Pool of the devices.'),
    ageColumn,
  ],
  cells(slice) {
    const { nodeName = '', driver = '', pool = {} } = slice.spec ?? {};
    return [nameCell(slice), nodeName, driver, pool.name ?? '', ageCell(slice)];
  },
};

/** Warns of upper case letters in the name of a driver. */
function driverNameWarnings(
  { spec: { driver = '' } = {} }: Slice,
  _old: Slice | undefined,
  { since }: StrategyContext,
): readonly string[] {
  return since('1.35') && driver !== driver.toLowerCase()
    ? [
        `spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`,
      ]
    : [];
}

/** Taints without a time were added now. */
function setTimes(slice: Draft<Slice>, { now }: StrategyContext): void {
  for (const { taints = [] } of slice.spec?.devices ?? [])
    for (const taint of taints) taint.timeAdded ??= now;
}

export const resourceSlices: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceslices',
  kind: 'ResourceSlice',
  namespaced: false,
  versions: [
    { version: 'v1', schema: ResourceSlice, introduced: '1.34' },
    ...earlierVersions({
      v1beta2: ResourceSlice,
      v1beta1: ResourceSliceV1Beta1,
      lens: lossless(within('spec.devices[]', deviceLens), {
        hub: ResourceSlice,
        older: ResourceSliceV1Beta1,
      }),
      v1alpha3: {
        schema: ResourceSliceV1Alpha3,
        lens: lossless(within('spec.devices[]', alphaDeviceLens), {
          hub: ResourceSlice,
          older: ResourceSliceV1Alpha3,
        }),
      },
    }),
  ],
  table: resourceSliceTable,
  strategy: strategyOf<Slice>({
    generation: 'spec',
    deleteReturns: 'object',
    prepareForCreate: setTimes,
    prepareForUpdate: (next, _old, context) => setTimes(next, context),
    warnings: driverNameWarnings,
  }),
  fields: { 'spec.driver': textField('spec.driver'), 'spec.nodeName': textField('spec.nodeName') },
  indexedFields: ['spec.nodeName'],
});
