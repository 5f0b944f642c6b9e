import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import {
  AggregationFixture,
  apiServices,
  apiVersion,
  availabilityOf,
  GROUP,
  namespaced,
  podAddress,
} from '../testing/aggregation-fixture.ts';
import { ExtensionServer } from '../testing/extension-server.ts';

const name = `v1.${GROUP}`;

async function untilReason(f: AggregationFixture, reason: string, of = name): Promise<Condition> {
  await until(
    async () => ((await availabilityOf(f.api, of)) as Condition).reason === reason,
    `the reason ${reason}`,
  );
  return (await availabilityOf(f.api, of)) as Condition;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

describe('availability of API services', () => {
  it('the availability of an API service follows the service, its port, its endpoints and the answer of the server, as they come and go', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.register(extension);
    assert.deepEqual(await untilReason(f, 'ServiceNotFound'), {
      type: 'Available',
      status: 'False',
      reason: 'ServiceNotFound',
      message: 'service/extension in "default" is not present',
    });
    const service = {
      ...{ kind: 'Service', apiVersion: 'v1', metadata: { name: 'extension' } },
      spec: { ports: [{ name: 'https', port: 8443 }], clusterIP: 'None', selector: { app: 'extension' } },
    };
    await f.api.post(`${namespaced}/services`, service);
    const port = await untilReason(f, 'ServicePortError');
    assert.equal(port.message, 'service/extension in "default" is not listening on port 443');
    await f.api.patch(`${namespaced}/services/extension`, {
      spec: { ports: [{ name: 'https', port: 443 }] },
    });
    const none = await untilReason(f, 'EndpointsNotFound');
    assert.equal(none.message, 'cannot find endpoints for service/extension in "default"');
    // The address belongs to no pod.
    await f.endpoints({ port: extension.port, addresses: [podAddress()] });
    const empty = await untilReason(f, 'MissingEndpoints');
    assert.match(
      empty.message,
      /^endpoints for service\/extension in "default" have no addresses with port name "https"/,
    );
    assert.equal(extension.checks, 0);
    await f.service({ port: extension.port });
    assert.deepEqual(await untilReason(f, 'Passed'), {
      type: 'Available',
      status: 'True',
      reason: 'Passed',
      message: 'all checks passed',
    });
    await f.api.delete(`${namespaced}/services/extension`);
    await untilReason(f, 'ServiceNotFound');
  });

  it('the availability of an API service is checked every 30 seconds, and soon again after a failure', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    await untilReason(f, 'Passed');
    extension.checkStatus = 503;
    await f.api.env.clock.advanceAsync(30_000);
    const failed = await untilReason(f, 'FailedDiscoveryCheck');
    assert.equal(
      failed.message,
      'failing or missing response from service "extension" in namespace "default": bad status 503',
    );
    extension.checkStatus = 200;
    await f.api.env.clock.advanceAsync(2_000);
    await untilReason(f, 'Passed');
  });

  it('the availability of an API service is false while no endpoint can be connected to, or its certificate is not valid for the service', async () => {
    await using other = await ExtensionServer.start({ hosts: ['other.default.svc'] });
    const refused = new Set([podAddress()]);
    await using f = await AggregationFixture.open({ refused });
    await f.service({ port: other.port });
    await f.register(other);
    assert.match((await untilReason(f, 'FailedDiscoveryCheck')).message, /connection refused$/);
    refused.clear();
    await f.api.env.clock.advanceAsync(30_000);
    await until(
      async () => /does not match/.test(((await availabilityOf(f.api)) as Condition).message),
      'the refused certificate',
    );
    assert.equal(other.checks, 0);
    await f.api.patch(`${apiServices}/${name}`, { spec: { caBundle: null, insecureSkipTLSVerify: true } });
    await untilReason(f, 'Passed');
  });

  it('a built-in group version is never diverted, and its API service has the reason Local', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.service({ port: extension.port });
    const created = await f.api.post(apiServices, {
      ...{ kind: 'APIService', apiVersion, metadata: { name: 'v1.apps' } },
      spec: {
        ...{ group: 'apps', version: 'v1', groupPriorityMinimum: 20_000, versionPriority: 1000 },
        ...{ service: { namespace: 'default', name: 'extension' }, caBundle: extension.caBundle },
      },
    });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(await untilReason(f, 'Local', 'v1.apps'), {
      type: 'Available',
      status: 'True',
      reason: 'Local',
      message: 'this group version is served by the API server itself; the service is not used',
    });
    assert.equal((await f.api.get('/apis/apps/v1/deployments')).json.kind, 'DeploymentList');
    assert.deepEqual([extension.checks, f.dialed], [0, []]);
  });

  it('the availability of an API service is counted and shown in metrics while a server is unavailable', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.register(extension);
    await untilReason(f, 'ServiceNotFound');
    const text = f.api.env.metrics.text();
    assert.match(text, new RegExp(`aggregator_unavailable_apiservice\\{name="${name}"\\} 1`));
    assert.match(
      text,
      new RegExp(`aggregator_unavailable_apiservice_total\\{name="${name}",reason="ServiceNotFound"\\} 1`),
    );
    await f.api.delete(`${apiServices}/${name}`);
    await until(() => !f.api.env.metrics.text().includes(`aggregator_unavailable_apiservice{name="${name}"`));
  });

  it('the availability of an API service is not written again while it stays the same', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    await untilReason(f, 'Passed');
    const revision = async () => (await f.api.get(`${apiServices}/${name}`)).json.metadata.resourceVersion;
    const before = await revision();
    for (let round = 2; round <= 5; round++) {
      await f.api.env.clock.advanceAsync(30_000);
      await until(() => extension.checks >= round, 'a further check');
    }
    assert.equal(await revision(), before);
  });
});
