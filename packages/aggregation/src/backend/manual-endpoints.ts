import { BlockList, isIP } from 'node:net';
import { hasSelector } from '@orch/connect';
import type { Service } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import type { AcceptsAddress } from '@orch/outbound';
import type { CoreObjects } from '@orch/registry';
import type { RemoteApiService } from '../api-services/api-service.ts';

/** Addresses of API servers, which must not be those of extension API servers. */
export interface ApiServerAddresses {
  readonly names: Names;
  /** Addresses of the machine of this API server. */
  readonly ofMachine: () => readonly string[];
}

/**
 * Reports whether the addresses of a service may be those of no pods: someone has written them, and the certificate of the server
 * proves that it is the right one. A service with a selector has pods, and without a verified certificate authors of Endpoints
 * could have users' requests sent to any server.
 */
export const hasManualEndpoints = (service: Service, { trust }: RemoteApiService): boolean =>
  !trust.insecure && !hasSelector(service);

/**
 * Accepts all addresses but those of API servers: of this machine, and those under which the default service is reached. A
 * request that is sent to an API server would be sent on by it, without an end.
 */
export function notApiServers(
  objects: Pick<CoreObjects, 'find'>,
  { names, ofMachine }: ApiServerAddresses,
): AcceptsAddress {
  const refused = new BlockList();
  for (const address of [...ofMachine(), ...ofDefaultService(objects, names)]) {
    const version = isIP(address);
    if (version !== 0) refused.addAddress(address, familyOf(version));
  }
  return (host) => !refused.check(host, familyOf(isIP(host)));
}

function* ofDefaultService(objects: Pick<CoreObjects, 'find'>, names: Names): Generator<string> {
  const own = [names.namespaces.default, names.defaultService] as const;
  const { clusterIP = '', clusterIPs = [] } = objects.find('services', ...own)?.spec ?? {};
  yield clusterIP;
  yield* clusterIPs;
  for (const { addresses = [], notReadyAddresses = [] } of objects.find('endpoints', ...own)?.subsets ?? [])
    for (const { ip = '' } of [...addresses, ...notReadyAddresses]) yield ip;
}

const familyOf = (version: number): 'ipv4' | 'ipv6' => (version === 4 ? 'ipv4' : 'ipv6');
