import assert from 'node:assert/strict';
import { type Answered, ApiFixture, type ApiFixtureOptions } from '../../registry/testing/api-fixture.ts';
import { addressRanges, type ServiceRanges } from '../allocate/service-ranges.ts';
import { portRange } from '../allocate/value-range.ts';

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
export const open = (options: ApiFixtureOptions = {}): Promise<ApiFixture> => ApiFixture.open(options);
export const created = (api: ApiFixture, name: string, spec: object = {}, query = '') =>
  ok(api.post(path + query, service(name, spec)), 201);
export const put = (api: ApiFixture, object: { metadata: { name: string }; spec: object }, spec: object) =>
  ok(api.put(`${path}/${object.metadata.name}`, { ...object, spec: { ...object.spec, ...spec } }));

/** Keys of claims in the store, without what they begin with. */
export async function claims(api: ApiFixture): Promise<readonly string[]> {
  const prefix = '/registry/~internal/services/';
  const page = await api.model.list(
    { start: prefix, end: '/registry/~internal/services0' },
    {},
    new AbortController().signal,
  );
  return page.items.map(({ key }) => key.slice(prefix.length)).filter((key) => key !== 'repair');
}
