import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ExtensionServer, json } from '@orch/aggregation/testing';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { type LaunchedServer, launchServer, podAddressOfMachine, registerExtension } from '@orch/testkit';
import { expectCode } from './fixture.ts';

const group = namesFor('orch').group('apiregistration');
const GROUP = 'metrics.example.com';
const widgets = `/apis/${GROUP}/v1/namespaces/default/widgets`;
const address = podAddressOfMachine();
const ifAddress = address === undefined ? { skip: 'this machine has no address besides loopback' } : {};
const services = (version: string): string => `/apis/${group}/${version}/apiservices`;

interface ApiService {
  readonly apiVersion: string;
  readonly spec: { readonly versionPriority: number };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

describe('an API service that is written as v1beta1 in release 1.21', {
  timeout: 60_000,
  ...ifAddress,
}, () => {
  let server: LaunchedServer;
  let extension: ExtensionServer;

  before(async () => {
    server = await launchServer({ args: ['--emulated-version=1.21'] });
    extension = await ExtensionServer.start({ address: address ?? '' });
    extension.answer = ({ headers, method, url }, response) =>
      json(response, { user: headers['x-remote-user'], method, url });
    await registerExtension(server.client, 'orch', {
      ...{ name: 'extension', address: address ?? '', port: extension.port, caBundle: extension.caBundle },
      ...{ group: GROUP, version: 'v1', registrationVersion: 'v1beta1' },
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await extension?.[Symbol.asyncDispose]();
  });

  it('an API service that is written as v1beta1 in release 1.21 sends requests for its group version to the extension API server', async () => {
    const answer = await eventually(
      () => server.client.get(`${widgets}?watch=false`),
      ({ status }) => status === 200,
    );
    assert.deepEqual(answer.json, { user: 'system:admin', method: 'GET', url: `${widgets}?watch=false` });
    const created = await server.client.post(widgets, { kind: 'Widget' });
    assert.deepEqual(created.json, { user: 'system:admin', method: 'POST', url: widgets });
  });

  it('an API service that is written as v1beta1 in release 1.21 is read, changed and reported as available in both versions', async () => {
    const name = `v1.${GROUP}`;
    for (const version of ['v1beta1', 'v1']) {
      const { json: found } = await eventually(
        () => server.client.get(`${services(version)}/${name}`),
        ({ json }) => (json as ApiService).status.conditions?.[0]?.reason === 'Passed',
      );
      assert.equal((found as ApiService).apiVersion, `${group}/${version}`);
    }
    const body = { spec: { versionPriority: 7 } };
    const contentType = 'application/merge-patch+json';
    expectCode(
      200,
      await server.client.send('PATCH', `${services('v1beta1')}/${name}`, { body, contentType }),
    );
    const { spec } = (await server.client.get(`${services('v1')}/${name}`)).json as ApiService;
    assert.equal(spec.versionPriority, 7);
    expectCode(200, await server.client.get(widgets));
  });

  it('an API service that is written as v1beta1 in release 1.21 ends its group version when it is deleted as v1beta1', async () => {
    expectCode(200, await server.client.delete(`${services('v1beta1')}/v1.${GROUP}`));
    await eventually(
      () => server.client.get(widgets),
      ({ status }) => status === 404,
    );
  });
});

describe('API services in release 1.22', { timeout: 60_000 }, () => {
  it('API services in release 1.22 are served as v1 only', async () => {
    await using server = await launchServer({ args: ['--emulated-version=1.22'] });
    expectCode(404, await server.client.get(services('v1beta1')));
    expectCode(200, await server.client.get(services('v1')));
  });
});
