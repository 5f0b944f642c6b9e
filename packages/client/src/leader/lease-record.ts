import { type ApiObject, jsonEquals, type Names } from '@orch/machinery';
import type { Resource } from '../rest/types.ts';

/** What a Lease says of who leads. Times are of its writer's clock: nobody else compares them with a clock. */
export interface LeaseRecord {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface Lease extends ApiObject {
  readonly spec?: LeaseRecord;
}

/** The resource of Leases under a naming. */
export const leases = (names: Names): Resource => ({
  group: names.group('coordination'),
  version: 'v1',
  resource: 'leases',
  kind: 'Lease',
  namespaced: true,
});

/** Everything that elections write; what else a Lease has is left as it is. */
export const recordOf = ({ spec = {} }: Lease): LeaseRecord => ({
  holderIdentity: spec.holderIdentity ?? '',
  leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
  ...(spec.acquireTime ? { acquireTime: spec.acquireTime } : {}),
  ...(spec.renewTime ? { renewTime: spec.renewTime } : {}),
  leaseTransitions: spec.leaseTransitions ?? 0,
});

export const isSameRecord = (a: LeaseRecord, b: LeaseRecord): boolean => jsonEquals(a, b);

/** Whether two records speak of one and the same time in office, renewed or not. */
export const isSameTerm = (a: LeaseRecord, b: LeaseRecord): boolean =>
  a.holderIdentity === b.holderIdentity &&
  a.acquireTime === b.acquireTime &&
  a.leaseTransitions === b.leaseTransitions;
