import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ApiClient, launchServerProcess } from '@orch/testkit';

const path = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** More connections than threads: the kernel divides them. */
const CONNECTIONS = 24;

const eventLimits = `
apiVersion: eventratelimit.admission.orch.io/v1alpha1
kind: Configuration
limits: [{ type: User, qps: 1, burst: 6 }]
`;

describe('the limits of events of a server with threads', { timeout: 120_000 }, () => {
  it('all threads together admit as many events of a user as the limit permits', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'orch-limits-'));
    const limits = join(dir, 'limits.yaml');
    const file = join(dir, 'admission.yaml');
    writeFileSync(limits, eventLimits);
    const plugin = { name: 'EventRateLimit', path: limits };
    const configuration = {
      apiVersion: 'apiserver.config.orch.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: [plugin],
    };
    writeFileSync(file, JSON.stringify(configuration));
    await using server = await launchServerProcess({
      args: [
        '--threads=2',
        '--enable-admission-plugins=EventRateLimit',
        `--admission-control-config-file=${file}`,
      ],
    });
    const clients = Array.from(
      { length: CONNECTIONS },
      () => new ApiClient(server.config, { maxSockets: 1 }),
    );
    const began = performance.now();
    const statuses = await Promise.all(
      clients.map(async (one, at) => {
        const event = {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: `limited-${at}` },
          involvedObject: { namespace: 'default' },
        };
        return (await one.post('/api/v1/namespaces/default/events', event)).status;
      }),
    );
    const refilled = Math.ceil((performance.now() - began) / 1000);
    for (const one of clients) one[Symbol.dispose]();
    const admitted = statuses.filter((status) => status === 201).length;
    assert.ok(admitted >= 6 && admitted <= 6 + refilled, `${statuses}`);
    assert.equal(statuses.filter((status) => status === 429).length, CONNECTIONS - admitted);
    rmSync(dir, { recursive: true });
  });
});

describe('the quotas of a server with threads', { timeout: 120_000 }, () => {
  it('writers over all threads create as many objects as the quota allows, whatever fails among them', async () => {
    await using server = await launchServerProcess({ args: ['--threads=2'] });
    const quotas = '/api/v1/namespaces/default/resourcequotas';
    // Room for a charge of every connection besides the objects of the first round.
    const most = 2 * CONNECTIONS + 2;
    const hard = { configmaps: String(most) };
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } };
    const clients = Array.from(
      { length: CONNECTIONS },
      () => new ApiClient(server.config, { maxSockets: 1 }),
    );
    assert.equal((await server.client.post(path, configMap('taken'))).status, 201);
    assert.equal((await server.client.post(quotas, quota)).status, 201);
    const body = { status: { hard, used: { configmaps: '1' } } };
    const contentType = 'application/merge-patch+json';
    const patched = await server.client.send('PATCH', `${quotas}/q/status`, { body, contentType });
    assert.equal(patched.status, 200, patched.text);
    await Promise.all(clients.map((one) => one.get(`${quotas}/q`)));
    const statuses = await Promise.all(
      clients.map(async (one, at) => [
        (await one.post(path, configMap('taken'))).status,
        (await one.post(path, configMap(`first-${at}`))).status,
        (await one.post(path, configMap('taken'))).status,
      ]),
    );
    // The quota has room for all of them, and each conflict has returned its charge.
    assert.deepEqual([...new Set(statuses.map(String))], ['409,201,409']);
    const more = await Promise.all(
      [...clients, ...clients].map(
        async (one, at) => (await one.post(path, configMap(`second-${at}`))).status,
      ),
    );
    const room = most - 1 - CONNECTIONS;
    assert.deepEqual(more.sort(), [
      ...Array<number>(room).fill(201),
      ...Array<number>(2 * CONNECTIONS - room).fill(403),
    ]);
    const { json } = await server.client.get(`${quotas}/q`);
    assert.deepEqual((json as { status: object }).status, { hard, used: hard });
    for (const one of clients) one[Symbol.dispose]();
  });
});
