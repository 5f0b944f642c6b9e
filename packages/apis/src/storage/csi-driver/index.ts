import { chain } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, Strategy } from '../../resource-type.ts';
import { driverWarnings } from '../shared/warnings.ts';
import { csiDriverTable } from './table.ts';
import { CSIDriver } from './v1.ts';
import { CSIDriver as CSIDriverV1Beta1 } from './v1beta1.ts';
import { validateDriverUpdate, validateFixedDriver } from './validation.ts';

const driverStrategy = (different: Partial<Strategy>): Strategy =>
  strategyOf({ unconditionalUpdate: false, deleteReturns: 'object', ...different });

export const csiDrivers: ResourceType = defineResource({
  group: 'storage',
  resource: 'csidrivers',
  kind: 'CSIDriver',
  namespaced: false,
  versions: [
    { version: 'v1', schema: CSIDriver, introduced: '1.19' },
    {
      version: 'v1beta1',
      schema: CSIDriverV1Beta1,
      // The JSON is the same but the schemas differ, so the lens is empty.
      lens: chain(),
      introduced: '1.14',
      deprecated: '1.19',
      removed: '1.22',
    },
  ],
  table: csiDriverTable,
  strategy: driverStrategy({
    generation: 'updates',
    validate: (next, old, context) => (old === undefined ? [] : validateDriverUpdate(next, old, context)),
    warnings: driverWarnings,
  }),
  earlier: [
    {
      before: '1.21',
      change: {
        strategy: driverStrategy({
          validate: (next, old) => (old === undefined ? [] : validateFixedDriver(next, old)),
        }),
      },
    },
  ],
});
