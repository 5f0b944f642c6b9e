import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { isTooManyRequests } from '../errors/guards.ts';
import { deployments, type Served, served } from '../rest/testing/served.ts';
import { evict } from './evict.ts';
import { podLogs } from './pod-logs.ts';
import { readScale, setScale } from './scale.ts';

const pod = { namespace: 'default', name: 'web' };

/** A server that sends the log of a pod in chunks. */
const logging = (chunks: readonly (string | Uint8Array)[]): Promise<Served> =>
  served((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    for (const chunk of chunks) response.write(chunk);
    response.end();
    return undefined;
  });

async function linesOf(server: Served, options = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of podLogs(server.client, pod, options)) lines.push(line);
  return lines;
}

describe('logs of pods', () => {
  it('the lines of a log are yielded however the bytes are divided', async () => {
    const euro = Buffer.from('€');
    await using server = await logging(['a\nb', 'c\n', euro.subarray(0, 1), euro.subarray(1), '\n\nend']);
    const options = { follow: true, container: 'main', tailLines: 5, timestamps: false };
    assert.deepEqual(await linesOf(server, options), ['a', 'bc', '€', '', 'end']);
    const [{ target } = { target: '' }] = server.seen;
    const url = new URL(target, 'http://server');
    assert.equal(url.pathname, '/api/v1/namespaces/default/pods/web/log');
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      follow: 'true',
      container: 'main',
      tailLines: '5',
      timestamps: 'false',
    });
  });

  it('an endless line is yielded in pieces', async () => {
    await using server = await logging(['x'.repeat(3_000_000)]);
    const lines = await linesOf(server);
    assert.equal(lines.join('').length, 3_000_000);
    assert.ok(lines.length > 1 && lines.every((line) => line.length < 2_000_000));
  });

  it('a log that the server refuses throws its error, and a bad name is refused before', async () => {
    await using server = await served(() => ({
      status: 404,
      body: { kind: 'Status', code: 404, reason: 'NotFound' },
    }));
    await assert.rejects(linesOf(server), { code: 404 });
    const bad = podLogs(server.client, { ...pod, name: 'a/b' });
    await assert.rejects(bad.next(), { name: 'RefusedRequest' });
    assert.equal(server.seen.length, 1);
  });
});

for (const naming of namings)
  describe(`evictions of pods (${naming})`, () => {
    it('an eviction is sent with its options', async () => {
      await using server = await served(() => ({ status: 201, body: { kind: 'Status', metadata: {} } }), {
        naming,
      });
      await evict(server.client, pod, { gracePeriodSeconds: 5, dryRun: true });
      const [{ method, target, body } = { method: '', target: '', body: '{}' }] = server.seen;
      assert.equal(`${method} ${target}`, 'POST /api/v1/namespaces/default/pods/web/eviction?dryRun=All');
      assert.deepEqual(JSON.parse(body), {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: pod,
        deleteOptions: { gracePeriodSeconds: 5 },
      });
    });

    it('an eviction that a budget blocks is a 429 for the caller', async () => {
      const details = { causes: [{ reason: 'DisruptionBudget' }] };
      const body = { kind: 'Status', code: 429, reason: 'TooManyRequests', details };
      await using server = await served(() => ({ status: 429, body }), { naming });
      await assert.rejects(evict(server.client, pod), isTooManyRequests);
    });
  });

describe('scales of objects', () => {
  const target = { resource: deployments, namespace: 'default', name: 'web' };
  const body = { kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 3 }, status: { replicas: 1 } };

  it('the scale of an object is read and set', async () => {
    await using server = await served(() => ({ body }));
    assert.deepEqual(await readScale(server.client, target), { desired: 3, observed: 1 });
    assert.deepEqual(await setScale(server.client, { ...target, replicas: 3 }), { desired: 3, observed: 1 });
    assert.deepEqual(
      server.seen.map(({ method, target: path, body: sent }) => `${method} ${path} ${sent}`),
      [
        'GET /apis/apps/v1/namespaces/default/deployments/web/scale ',
        'PATCH /apis/apps/v1/namespaces/default/deployments/web/scale {"spec":{"replicas":3}}',
      ],
    );
  });

  it('a number of replicas that is not whole is refused before it is sent', async () => {
    await using server = await served(() => ({ body }));
    for (const replicas of [-1, 1.5, Number.NaN])
      await assert.rejects(setScale(server.client, { ...target, replicas }), RangeError);
    assert.deepEqual(server.seen, []);
  });
});
