import type { Service } from '@orch/kinds/core';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionPlugin } from '../types.ts';

/** `DenyServiceExternalIPs`: services keep the external IPs that they have, and get no others. */
export const denyServiceExternalIPs = (): AdmissionPlugin => ({
  name: 'DenyServiceExternalIPs',
  handles: writesOf('', 'services', 'CREATE', 'UPDATE'),
  validate({ object, oldObject }) {
    const before = new Set((oldObject as Service | undefined)?.spec?.externalIPs ?? []);
    const added = ((object as Service | undefined)?.spec?.externalIPs ?? []).some((ip) => !before.has(ip));
    return added ? 'Use of external IPs is denied by admission control.' : undefined;
  },
});
