import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import { testCertificate } from '@orch/pki/x509/testing';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { type ApiItem, create, expectCode, podObject, pods, refused } from '../api/fixture.ts';
import { ImagePolicyBackend } from './image-policy-backend.ts';

const FAILED_OPEN = 'alpha.image-policy.orch.io/failed-open';
const DENIED = /image policy webhook backend denied one or more images: not signed$/;

const imagePod = (name: string, image: string, metadata: Record<string, unknown> = {}): object =>
  podObject(name, metadata, { containers: [{ name: 'main', image }] });

/** Writes the configuration of a server into a folder; the flags of the server. */
function configured(work: string, backend: ImagePolicyBackend, policy: object): readonly string[] {
  writeFileSync(join(work, 'backend.conf'), backend.clientConfig());
  const file = join(work, 'admission.yaml');
  const configuration = { imagePolicy: { kubeConfigFile: 'backend.conf', retryBackoff: 1, ...policy } };
  writeFileSync(
    file,
    encodeYaml({
      apiVersion: 'apiserver.config.orch.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: [{ name: 'ImagePolicyWebhook', configuration }],
    }),
  );
  return ['--enable-admission-plugins=ImagePolicyWebhook', `--admission-control-config-file=${file}`];
}

describe('an image policy whose failures refuse pods', { timeout: 120_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-image-policy-'));
  const backend = new ImagePolicyBackend();
  let server: LaunchedServer;

  before(async () => {
    await backend.start();
    server = await launchServer({ args: configured(work, backend, {}) });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    backend[Symbol.dispose]();
    rmSync(work, { recursive: true, force: true });
  });

  const patch = (path: string, type: string, body: object): Promise<ApiResponse> =>
    server.client.send('PATCH', path, { body, contentType: `application/${type}` });
  const exists = async (name: string): Promise<boolean> =>
    (await server.client.get(`${pods}/${name}`)).status === 200;

  it('the backend receives images, namespace and the annotations for it', async () => {
    const annotations = { 'a.image-policy.orch.io/ticket': '7', 'example.com/secret': 'x' };
    await create(server.client, pods, imagePod('passed', 'allowed:passed', { annotations }));
    assert.deepEqual(backend.reviews.at(-1), {
      containers: [{ image: 'allowed:passed' }],
      annotations: { 'a.image-policy.orch.io/ticket': '7' },
      namespace: 'default',
    });
  });

  it('a pod whose initial container has an image that the backend denies is refused', async () => {
    const { spec } = imagePod('initial', 'allowed:1') as { readonly spec: Record<string, unknown> };
    const initContainers = [{ name: 'first', image: 'denied:1' }];
    const answer = await server.client.post(pods, podObject('initial', {}, { ...spec, initContainers }));
    assert.match(refused(answer, 403, 'Forbidden').message, DENIED);
  });

  it('an ephemeral container and an update with allowed images are admitted', async () => {
    const path = `${pods}/updated`;
    await create(server.client, pods, imagePod('updated', 'allowed:1'));
    const changed = { spec: { containers: [{ name: 'main', image: 'allowed:2' }] } };
    expectCode(200, await patch(path, 'strategic-merge-patch+json', changed));
    const debug = { spec: { ephemeralContainers: [{ name: 'debug', image: 'allowed:3' }] } };
    expectCode(200, await patch(`${path}/ephemeralcontainers`, 'strategic-merge-patch+json', debug));
  });

  for (const [name, reason] of [
    ['failing', /it answered 503$/],
    ['redirecting', /it answered 307$/],
    ['lying', /its response is not an imagepolicy.orch.io\/v1alpha1 ImageReview$/],
    ['malformed', /its answer is not JSON$/],
    ['endless', /its answer is too large$/],
    ['closing', /closed the connection before the end of its answer$/],
  ] as const)
    it(`a ${name} backend refuses a pod, and other pods are admitted afterwards`, async () => {
      const answer = await server.client.post(pods, imagePod(name, `${name}:1`));
      assert.match(refused(answer, 403, 'Forbidden').message, reason);
      assert.equal(await exists(name), false);
      assert.equal(backend.paths.includes('/redirected'), false);
      await create(server.client, pods, imagePod(`after-${name}`, `allowed:${name}`));
    });

  it('a request ends at its deadline while the backend does not answer, and stores nothing', async () => {
    const answer = await server.client.post(`${pods}?timeout=1s`, imagePod('silent', 'silent:1'));
    assert.equal(answer.status, 504, answer.text);
    assert.equal(await exists('silent'), false);
  });

  it('pods are refused while the backend is stopped or has another certificate, except with known images', async () => {
    await create(server.client, pods, imagePod('known', 'allowed:known'));
    await backend.stop();
    refused(await server.client.post(pods, imagePod('stopped', 'allowed:stopped')), 403, 'Forbidden');
    await create(server.client, pods, imagePod('known-2', 'allowed:known'));
    const labels = { metadata: { labels: { a: 'b' } } };
    expectCode(200, await patch(`${pods}/known`, 'merge-patch+json', labels));

    await backend.start(testCertificate({ commonName: 'other', use: 'server' }));
    const before = backend.reviews.length;
    refused(await server.client.post(pods, imagePod('other', 'allowed:other')), 403, 'Forbidden');
    assert.equal(backend.reviews.length, before);
    await backend.stop();

    await backend.start();
    await until(
      async () => (await server.client.post(pods, imagePod('started', 'allowed:started'))).status === 201,
    );
  });
});

describe('an image policy whose failures admit pods', { timeout: 120_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-image-policy-open-'));
  const auditLog = join(work, 'audit.log');
  const backend = new ImagePolicyBackend();
  let server: LaunchedServer;

  before(async () => {
    await backend.start();
    const policy = join(work, 'policy.yaml');
    writeFileSync(policy, 'apiVersion: audit.orch.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
    server = await launchServer({
      args: [
        ...configured(work, backend, { defaultAllow: true, allowTTL: -1, denyTTL: -1 }),
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${auditLog}`,
      ],
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    backend[Symbol.dispose]();
    rmSync(work, { recursive: true, force: true });
  });

  const annotationsOf = ({ metadata }: ApiItem): unknown =>
    (metadata as { readonly annotations?: unknown }).annotations;

  /** The annotations of the audit event of the creation of a pod, without those of other parts of the server. */
  const auditedAt = (name: string): Record<string, string> => {
    const events = readFileSync(auditLog, 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"name":"${name}"`) && line.includes('"verb":"create"'))
      .map(
        (line) => (JSON.parse(line) as { readonly annotations?: Record<string, string> }).annotations ?? {},
      );
    return Object.fromEntries(events.flatMap(Object.entries).filter(([key]) => key.includes('image-policy')));
  };

  it('a pod that the backend allows has no annotation, and its audit event those of the backend', async () => {
    const pod = await create(server.client, pods, imagePod('allowed', 'allowed:1'));
    assert.equal(annotationsOf(pod), undefined);
    await until(async () => Object.keys(auditedAt('allowed')).length > 0);
    assert.deepEqual(auditedAt('allowed'), { 'imagepolicywebhook.image-policy.orch.io/signed-by': 'alice' });
  });

  it('a pod that the backend denies is refused', async () => {
    const answer = await server.client.post(pods, imagePod('denied', 'denied:1'));
    assert.match(refused(answer, 403, 'Forbidden').message, DENIED);
  });

  it('a pod is admitted and marked while the backend lies, and while it is stopped', async () => {
    const marked = { 'imagepolicywebhook.image-policy.orch.io/failed-open': 'true', [FAILED_OPEN]: 'true' };
    for (const name of ['lying', 'stopped']) {
      if (name === 'stopped') await backend.stop();
      const pod = await create(server.client, pods, imagePod(name, `${name}:1`));
      assert.deepEqual(annotationsOf(pod), { [FAILED_OPEN]: 'true' });
      await until(async () => Object.keys(auditedAt(name)).length > 0);
      assert.deepEqual(auditedAt(name), marked);
    }
  });
});
