import assert from 'node:assert/strict';
import { fieldServedIn } from '@orch/apis';
import { createRegistry, DEFAULT_STORE_PREFIX } from '@orch/registry';
import {
  type Answered,
  noConnections,
  RegistryFixture,
  type RegistryFixtureOptions,
  type ServedParts,
  servedParts,
} from '@orch/registry/testing';
import { addressRanges, defaultServiceRanges, type ServiceRanges } from '../allocate/service-ranges.ts';
import { portRange } from '../allocate/value-range.ts';
import { serviceNetwork } from '../service-network.ts';
import { ServiceReconciler, type ServiceReconcilerOptions } from '../service-reconciler.ts';

/** A registry whose services get addresses and ports. */
interface ServicesParts extends ServedParts {
  serviceReconciler(options: ServiceReconcilerOptions): ServiceReconciler;
}

export type ServicesFixture = RegistryFixture<ServicesParts>;

export interface ServicesFixtureOptions extends RegistryFixtureOptions {
  /** Address and port ranges of services. */
  readonly services?: ServiceRanges;
}

/** A registry in process, with allocation for services. */
export const open = (options: ServicesFixtureOptions = {}): Promise<ServicesFixture> =>
  RegistryFixture.assembled(options, (parts) => {
    const network = serviceNetwork({
      ...parts,
      ranges: options.services ?? defaultServiceRanges(),
      storePrefix: DEFAULT_STORE_PREFIX,
      objects: () => registry.internal.objects,
      includes: fieldServedIn(parts.release, parts.openGates, parts.closedGates),
    });
    const registry = createRegistry({
      ...parts,
      connector: noConnections,
      hooksOf: network.hooksOf,
    });
    return {
      ...servedParts(registry),
      serviceReconciler: (reconciler) => new ServiceReconciler(registry.internal, network, reconciler),
    };
  });

export const path = '/api/v1/namespaces/default/services';
export const ranges = (addresses = '10.0.0.0/24', ports = '30000-32767'): ServiceRanges => ({
  addresses: addressRanges(addresses),
  ports: portRange(ports),
});
export const dual = ranges('10.0.0.0/24,fd00::/112');
const ports = [{ port: 80 }];
const selector = { app: 'a' };
export const service = (name: string, spec: object): object => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name },
  spec: { ports, selector, ...spec },
});

export const isV4 = /^10\.0\.0\.\d+$/;
export const isV6 = /^fd00::[0-9a-f]+$/;
export const problems = ({ json }: Answered): unknown =>
  (json.details?.causes ?? []).map(
    ({ reason, field }: { reason: string; field: string }) => `${reason} ${field}`,
  );

export async function ok(answer: Promise<Answered>, status = 200) {
  const { json, text, status: actual } = await answer;
  assert.equal(actual, status, text);
  return json;
}
export const created = (api: ServicesFixture, name: string, spec: object = {}, query = '') =>
  ok(api.post(path + query, service(name, spec)), 201);
export const put = (
  api: ServicesFixture,
  object: { metadata: { name: string }; spec: object },
  spec: object,
) => ok(api.put(`${path}/${object.metadata.name}`, { ...object, spec: { ...object.spec, ...spec } }));

/** Keys of allocations in the store, without their prefix. */
export async function allocations(api: ServicesFixture): Promise<readonly string[]> {
  const prefix = '/registry/~internal/services/';
  const page = await api.model.list(
    { start: prefix, end: '/registry/~internal/services0' },
    {},
    new AbortController().signal,
  );
  return page.items.map(({ key }) => key.slice(prefix.length)).filter((key) => key !== 'repair');
}
