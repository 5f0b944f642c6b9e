import { names, users } from './users.ts';

export const MAPS = '/api/v1/namespaces/default/configmaps';
/** The object that the victim reads. */
export const SMALL_MAP = `${MAPS}/small`;

const namespace = names.namespaces.system;
const LEASE_NAME = 'bench-leader';
export const LEASES = `/apis/${names.apiVersion('coordination', 'v1')}/namespaces/${namespace}/leases`;
export const LEASE = `${LEASES}/${LEASE_NAME}`;

/** The lease of a leader, renewed at this time; the revision is empty for a new one. */
export const leaseOf = (resourceVersion: string): string =>
  JSON.stringify({
    apiVersion: names.apiVersion('coordination', 'v1'),
    kind: 'Lease',
    metadata: {
      name: LEASE_NAME,
      namespace,
      ...(resourceVersion === '' ? {} : { resourceVersion }),
    },
    spec: {
      holderIdentity: users.leader,
      leaseDurationSeconds: 15,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    },
  });
