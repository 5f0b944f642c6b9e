import type { Service } from '@orch/kinds/core';
import { serviceAddressWarnings, serviceRangeWarnings } from '../../address-warnings.ts';
import type { WarningContext } from '../../content-warning.ts';

const isHeadless = ({ spec = {} }: Service): boolean =>
  spec.type === 'ClusterIP' && spec.clusterIP === 'None';

/** Warns of fields that a service without an address of its own does not use. */
function headlessWarnings(service: Service, since: WarningContext['since']): readonly string[] {
  if (!isHeadless(service) || !since('1.34')) return [];
  const { loadBalancerIP = '', externalIPs = [], sessionAffinity } = service.spec ?? {};
  const ignored = [
    ...(loadBalancerIP === '' ? [] : ['loadBalancerIP']),
    ...(externalIPs.length === 0 ? [] : ['externalIPs']),
    ...(sessionAffinity === 'None' ? [] : ['SessionAffinity']),
  ];
  return ignored.map((field) => `spec.${field} is ignored for headless services`);
}

/** Warns of the addresses of a service. */
function addressesOf(service: Service, since: WarningContext['since']): readonly string[] {
  const {
    type,
    clusterIP = '',
    clusterIPs = [],
    externalIPs = [],
    loadBalancerIP = '',
    loadBalancerSourceRanges = [],
  } = service.spec ?? {};
  const hasIp = clusterIP !== '' && clusterIP !== 'None' && type !== 'ExternalName';
  const isOld = since('1.36') && externalIPs.length > 0 && !isHeadless(service) && type !== 'ExternalName';
  return [
    ...(hasIp ? clusterIPs : []).flatMap((ip, i) =>
      serviceAddressWarnings(`spec.clusterIPs[${i}]`, ip, since),
    ),
    ...headlessWarnings(service, since),
    ...externalIPs.flatMap((ip, i) => serviceAddressWarnings(`spec.externalIPs[${i}]`, ip, since)),
    ...(isOld ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'] : []),
    ...serviceAddressWarnings('spec.loadBalancerIP', loadBalancerIP, since),
    ...loadBalancerSourceRanges.flatMap((range, i) =>
      serviceRangeWarnings(`spec.loadBalancerSourceRanges[${i}]`, range, since),
    ),
  ];
}

/** Warns of fields that the type of a service does not use. */
function typeWarnings({ spec = {} }: Service, since: WarningContext['since']): readonly string[] {
  if (!since('1.28')) return [];
  const { type, externalIPs = [], externalName = '' } = spec;
  if (type === 'ExternalName')
    return externalIPs.length === 0 ? [] : ['spec.externalIPs is ignored when spec.type is "ExternalName"'];
  return externalName === '' ? [] : ['spec.externalName is ignored when spec.type is not "ExternalName"'];
}

/** Warns of a service. */
export function serviceWarnings(
  next: Service,
  _old: Service | undefined,
  { names, since }: WarningContext,
): readonly string[] {
  const { topologyAwareHints, topologyMode } = names.annotations;
  const hasHints = since('1.27') && next.metadata.annotations?.[topologyAwareHints] !== undefined;
  const isClose = since('1.35') && next.spec?.trafficDistribution === 'PreferClose';
  return [
    ...(hasHints
      ? [`annotation ${topologyAwareHints} is deprecated, please use ${topologyMode} instead`]
      : []),
    ...addressesOf(next, since),
    ...typeWarnings(next, since),
    ...(isClose ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'] : []),
  ];
}
