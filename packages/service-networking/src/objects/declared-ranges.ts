import type { ServiceCIDR } from '@orch/kinds/networking';
import { hasDeletionTimestamp } from '@orch/machinery';
import type { IpFamily } from '@orch/machinery/net';
import type { InternalResource } from '@orch/registry';
import { type AddressRange, declaredRange } from '../allocate/value-range.ts';

export const READY = 'Ready';

export const isReady = ({ status }: ServiceCIDR): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === READY && condition.status === 'True');

/** The cached ServiceCIDRs. */
export const cachedCidrs = (cidrs: InternalResource<ServiceCIDR>): readonly ServiceCIDR[] =>
  (cidrs.cachedKeys() ?? []).flatMap((name) => cidrs.cached({ namespace: '', name }) ?? []);

/** The ranges of cached ServiceCIDRs from which addresses are allocated. */
export const declaredRanges = (
  cidrs: InternalResource<ServiceCIDR>,
  family: IpFamily,
): readonly AddressRange[] =>
  cachedCidrs(cidrs)
    .filter((cidr) => isReady(cidr) && !hasDeletionTimestamp(cidr.metadata))
    .flatMap(({ spec }) => spec?.cidrs ?? [])
    .flatMap((text) => declaredRange(text) ?? [])
    .filter((range) => range.family === family);
