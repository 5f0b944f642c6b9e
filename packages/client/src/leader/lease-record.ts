import type { ApiObject, Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { Resource } from '../rest/types.ts';

/** The leadership in a Lease. Times come from the clock of the writer, and are not compared with other clocks. */
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

/** The resource of Leases. */
export const leases = (names: Names): Resource => ({
  group: names.group('coordination'),
  version: 'v1',
  resource: 'leases',
  kind: 'Lease',
  namespaced: true,
});

/** The fields that elections write; other fields of the Lease are kept. */
export const recordOf = ({ spec = {} }: Lease): LeaseRecord => ({
  holderIdentity: spec.holderIdentity ?? '',
  leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
  ...(spec.acquireTime ? { acquireTime: spec.acquireTime } : {}),
  ...(spec.renewTime ? { renewTime: spec.renewTime } : {}),
  leaseTransitions: spec.leaseTransitions ?? 0,
});

export const isSameRecord = (a: LeaseRecord, b: LeaseRecord): boolean => jsonEquals(a, b);

/** Reports whether two records belong to the same term, renewed or not. */
export const isSameTerm = (a: LeaseRecord, b: LeaseRecord): boolean =>
  a.holderIdentity === b.holderIdentity &&
  a.acquireTime === b.acquireTime &&
  a.leaseTransitions === b.leaseTransitions;
