import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { expectCode, item, podObject, pods, refused } from './fixture.ts';

const container = { name: 'main', image: 'registry.example/app:1' };
const privileged = { ...container, securityContext: { privileged: true } };
const podSpec = { containers: [privileged] };
const selector = { matchLabels: { app: 'a' } };
const template = { metadata: { labels: { app: 'a' } }, spec: podSpec };
const job = { template: { ...template, spec: { ...podSpec, restartPolicy: 'Never' } } };

const patch = (client: ApiClient, path: string, body: object, type: string): Promise<ApiResponse> =>
  client.send('PATCH', path, { body, contentType: `application/${type}` });

const field = (prefix: string): string => `${prefix}.securityContext.privileged`;

const hostProcess = {
  containers: [container],
  hostNetwork: true,
  securityContext: { windowsOptions: { hostProcess: true } },
};

const templateOf = (spec: object): object => ({
  metadata: { name: 'h' },
  template: { metadata: { labels: { app: 'a' } }, spec },
});

interface Refused {
  readonly what: string;
  readonly send: (client: ApiClient) => Promise<ApiResponse>;
  readonly field: string;
}

interface Workload {
  readonly kind: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly content: object;
  /** Path of the pod's spec in the object. */
  readonly at: string;
}

const templated = ({ kind, apiVersion, resource, content, at }: Workload): Refused => ({
  what: kind,
  send(client) {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const object = { apiVersion, kind, metadata: { name: 'w' }, ...content };
    return client.post(`${root}/namespaces/default/${resource}`, object);
  },
  field: field(`${at}.containers[0]`),
});

const refusals: readonly Refused[] = [
  {
    what: 'container of a pod',
    send: (client) => client.post(pods, podObject('p', {}, podSpec)),
    field: field('spec.containers[0]'),
  },
  {
    what: 'init container of a pod',
    send: (client) =>
      client.post(pods, podObject('p', {}, { initContainers: [{ ...privileged, name: 'init' }] })),
    field: field('spec.initContainers[0]'),
  },
  {
    what: 'container in a dry run',
    send: (client) => client.post(`${pods}?dryRun=All`, podObject('p', {}, podSpec)),
    field: field('spec.containers[0]'),
  },
  {
    what: 'container that is applied',
    send: (client) =>
      patch(client, `${pods}/p?fieldManager=t`, podObject('p', {}, podSpec), 'apply-patch+yaml'),
    field: field('spec.containers[0]'),
  },
  {
    what: 'ephemeral container',
    send: (client) =>
      patch(
        client,
        `${pods}/plain/ephemeralcontainers`,
        { spec: { ephemeralContainers: [{ ...privileged, name: 'debug' }] } },
        'strategic-merge-patch+json',
      ),
    field: field('spec.ephemeralContainers[0]'),
  },
  templated({
    kind: 'PodTemplate',
    apiVersion: 'v1',
    resource: 'podtemplates',
    content: { template },
    at: 'template.spec',
  }),
  templated({
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    resource: 'deployments',
    content: { spec: { selector, template } },
    at: 'spec.template.spec',
  }),
  templated({
    kind: 'CronJob',
    apiVersion: 'batch/v1',
    resource: 'cronjobs',
    content: { spec: { schedule: '* * * * *', jobTemplate: { spec: job } } },
    at: 'spec.jobTemplate.spec.template.spec',
  }),
];

describe('privileged containers without permission', { timeout: 120_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer({ args: ['--allow-privileged=false'] });
    expectCode(201, await server.client.post(pods, podObject('plain')));
  });
  after(() => server[Symbol.asyncDispose]());

  for (const { what, send, field } of refusals)
    it(`a privileged ${what} is invalid with --allow-privileged=false`, async () => {
      const answer = await send(server.client);
      const { message } = refused(answer, 422, 'Invalid', ['FieldValueForbidden']);
      assert.ok(message.includes(`${field}: Forbidden: disallowed by cluster policy`), message);
    });

  it('a HostProcess pod, and a template of one, is invalid with --allow-privileged=false', async () => {
    const object = { ...templateOf(hostProcess), apiVersion: 'v1', kind: 'PodTemplate' };
    for (const [answer, field] of [
      [await server.client.post(pods, podObject('h', {}, hostProcess)), 'spec'],
      [await server.client.post('/api/v1/namespaces/default/podtemplates', object), 'template.spec'],
    ] as const) {
      const { message } = refused(answer, 422, 'Invalid', ['FieldValueForbidden']);
      const expected = `${field}: Forbidden: hostProcess containers are disallowed by cluster policy`;
      assert.ok(message.includes(expected), message);
    }
  });

  it('containers that are explicitly unprivileged are valid with --allow-privileged=false', async () => {
    const containers = [{ ...container, securityContext: { privileged: false } }];
    expectCode(201, await server.client.post(pods, podObject('unprivileged', {}, { containers })));
  });
});

describe('privileged containers by default', { timeout: 120_000 }, () => {
  it('a privileged pod is created by default, and keeps working on a server that no longer permits it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'orch-privileged-'));
    try {
      {
        await using server = await launchServer({ dataDir });
        expectCode(201, await server.client.post(pods, podObject('p', {}, podSpec)));
        expectCode(201, await server.client.post(pods, podObject('h', {}, hostProcess)));
      }
      await using server = await launchServer({ dataDir, args: ['--allow-privileged=false'] });
      const { client } = server;
      const status = { status: { phase: 'Running' } };
      const running = await patch(client, `${pods}/p/status`, status, 'merge-patch+json');
      assert.equal(item(expectCode(200, running)).status['phase'], 'Running');
      const labels = { metadata: { labels: { a: 'b' } } };
      for (const name of ['p', 'h'])
        expectCode(200, await patch(client, `${pods}/${name}`, labels, 'merge-patch+json'));
      expectCode(422, await client.post(pods, podObject('q', {}, podSpec)));
      expectCode(200, await client.delete(`${pods}/p`));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
