import type {
  PoolStatusV1alpha3 as PoolStatus,
  ResourcePoolStatusRequestV1alpha3 as ResourcePoolStatusRequest,
} from '@orch/kinds/resource';
import type { AgeCell, TableDefinition } from '../../resource-type.ts';
import { column, nameCell, nameColumn } from '../../table.ts';

type Count = 'totalDevices' | 'availableDevices' | 'allocatedDevices' | 'unavailableDevices';

const sum = (pools: readonly PoolStatus[], field: Count): string =>
  String(pools.reduce((total, pool) => total + (pool[field] ?? 0), 0));

/** Complete, Failed or Pending, and the time of completion. */
function stateOf({ status }: ResourcePoolStatusRequest): { state: string; completed: AgeCell | string } {
  const result = status?.conditions?.find(
    ({ type = '', status: value }) => value === 'True' && ['Complete', 'Failed'].includes(type),
  );
  if (result?.type !== 'Complete') return { state: result?.type ?? 'Pending', completed: '<none>' };
  const [shown, matching] = [status?.pools?.length ?? 0, status?.poolCount ?? 0];
  const state = matching > shown ? `Complete (${shown}/${matching} pools)` : 'Complete';
  return { state, completed: { age: result.lastTransitionTime } };
}

/** The numbers of devices, which a request without a result does not have. */
function numbersOf({ status }: ResourcePoolStatusRequest, state: string): readonly string[] {
  if (status === undefined || state === 'Failed') return Array.from({ length: 5 }, () => '-');
  const { pools = [] } = status;
  return [
    sum(pools, 'totalDevices'),
    sum(pools, 'availableDevices'),
    sum(pools, 'allocatedDevices'),
    sum(pools, 'unavailableDevices'),
    String(pools.filter(({ validationError }) => validationError !== undefined).length),
  ];
}

export const resourcePoolStatusRequestTable: TableDefinition<ResourcePoolStatusRequest> = {
  columns: [
    nameColumn,
    column('Driver', 'Driver of the pools.'),
    column('Total', 'Number of devices in all pools.'),
    column('Available', 'Number of devices that can be allocated.'),
    column('Allocated', 'Number of allocated devices.'),
    column('Unavailable', 'Number of devices that cannot be allocated.'),
    column('Errors', 'Number of pools whose state is not known completely.'),
    column('Pools', 'Number of pools that match.', { type: 'integer' }),
    column('Status', 'Pending, Complete or Failed.'),
    column('Completed', 'Time since the request was completed.'),
  ],
  cells(request) {
    const { state, completed } = stateOf(request);
    return [
      nameCell(request),
      request.spec?.driver ?? '',
      ...numbersOf(request, state),
      request.status?.poolCount ?? 0,
      state,
      completed,
    ];
  },
};
