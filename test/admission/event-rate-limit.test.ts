import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { encodeYaml } from '@orch/machinery/yaml';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { create, expectCode, refused } from '../api/fixture.ts';

const configuration = {
  apiVersion: 'apiserver.config.orch.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [{ name: 'EventRateLimit', path: 'rates.yaml' }],
};
/** A slow rate, so that the bucket of a namespace is not refilled during a test; and a burst for a few requests. */
const rates = {
  apiVersion: 'eventratelimit.admission.orch.io/v1alpha1',
  kind: 'Configuration',
  limits: [{ type: 'Namespace', qps: 1, burst: 5 }],
};
/** More than the bucket gets while the requests are sent. */
const MANY = 500;

const core = (namespace: string, name: string): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name },
  involvedObject: { kind: 'Pod', namespace, name: 'p' },
  reason: 'Tested',
});
const newer = (namespace: string, name: string): object => ({
  apiVersion: 'events.orch.io/v1',
  kind: 'Event',
  metadata: { name },
  regarding: { kind: 'Pod', namespace, name: 'p' },
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'example.com/test',
  reportingInstance: 'test-1',
  action: 'Test',
  reason: 'Tested',
  type: 'Normal',
});

/** Paths of the events of a namespace, by group. */
type EventPaths = Readonly<Record<'core' | 'newer', string>>;

describe('events over a rate limit', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-event-rate-'));
  let server: LaunchedServer;

  before(async () => {
    writeFileSync(join(work, 'admission.yaml'), encodeYaml(configuration));
    writeFileSync(join(work, 'rates.yaml'), encodeYaml(rates));
    server = await launchServer({
      args: [
        '--enable-admission-plugins=EventRateLimit',
        `--admission-control-config-file=${join(work, 'admission.yaml')}`,
      ],
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  /** The paths of the events of a new namespace, in both groups. */
  async function eventsOf(name: string): Promise<EventPaths> {
    await create(server.client, '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    });
    const rest = `namespaces/${name}/events`;
    return { core: `/api/v1/${rest}`, newer: `/apis/events.orch.io/v1/${rest}` };
  }

  /** Sends requests until one is not accepted. */
  async function firstRefused(send: (count: number) => Promise<ApiResponse>): Promise<ApiResponse> {
    for (let count = 0; count < MANY; count++) {
      const answer = await send(count);
      if (answer.status >= 300) return answer;
    }
    return assert.fail('no request was refused');
  }

  const apply = (path: string, body: object): Promise<ApiResponse> =>
    server.client.send('PATCH', `${path}?fieldManager=test`, {
      body,
      contentType: 'application/apply-patch+yaml',
    });

  for (const [title, namespace, send] of [
    [
      'creations in the core group',
      'core',
      (paths: EventPaths, count: number) => server.client.post(paths.core, core('core', `e${count}`)),
    ],
    [
      'creations in the group of newer events',
      'newer',
      (paths: EventPaths, count: number) => server.client.post(paths.newer, newer('newer', `e${count}`)),
    ],
    [
      'changes by apply',
      'applied',
      (paths: EventPaths, count: number) =>
        apply(`${paths.core}/e`, { ...core('applied', 'e'), message: `${count}` }),
    ],
  ] as const)
    it(`too many events are answered with 429: ${title}`, async () => {
      const paths = await eventsOf(namespace);
      const answer = await firstRefused((count) => send(paths, count));
      const { message } = refused(answer, 429, 'TooManyRequests');
      assert.equal(message, `Too many requests: limit reached on type Namespace for key ${namespace}`);
      assert.equal(answer.headers['retry-after'], '1');
    });

  it('dry runs, deletions and other namespaces are not limited', async () => {
    const paths = await eventsOf('limited');
    await firstRefused((count) => server.client.post(paths.core, core('limited', `e${count}`)));
    for (let count = 0; count < 20; count++)
      expectCode(201, await server.client.post(`${paths.core}?dryRun=All`, core('limited', 'dry')));
    expectCode(200, await server.client.delete(`${paths.core}/e0`));
    const { newer: others } = await eventsOf('others');
    expectCode(201, await server.client.post(others, newer('others', 'e')));
  });
});
