import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AnswerReview,
  admissionAnswer,
  admitting,
  patching,
  type Review,
  sendJson,
  webhookEntry,
} from '@orch/server/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { configMaps, jsonOf, WebhookCluster } from './webhook-cluster.ts';

const apply = { contentType: 'application/apply-patch+yaml' };
const merge = { contentType: 'application/merge-patch+json' };
const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { of: 'victims' } },
});
const victim = `${configMaps}/victim`;

/** Ways to write that a webhook can refuse. */
const writes: Readonly<Record<string, readonly [method: string, path: string, options?: object]>> = {
  create: ['POST', configMaps, { body: configMap('new') }],
  'create in a dry run': ['POST', `${configMaps}?dryRun=All`, { body: configMap('new') }],
  update: ['PUT', victim, { body: configMap('victim') }],
  patch: ['PATCH', victim, { ...merge, body: { data: { a: '1' } } }],
  apply: ['PATCH', `${victim}?fieldManager=m`, { ...apply, body: configMap('victim') }],
  'apply that creates': ['PATCH', `${configMaps}/new?fieldManager=m`, { ...apply, body: configMap('new') }],
  delete: ['DELETE', victim],
  'delete in a dry run': ['DELETE', `${victim}?dryRun=All`],
  deletecollection: ['DELETE', `${configMaps}?labelSelector=of%3Dvictims`],
  exec: ['POST', '/api/v1/namespaces/default/pods/p/exec?command=ls'],
};

const text =
  (body: string, status = 200): AnswerReview =>
  (_review, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  };
const malformed =
  (change: (answer: Review) => void): AnswerReview =>
  (review, response) => {
    const answer = admissionAnswer(review);
    change(answer);
    sendJson(response, answer);
  };
const silent: AnswerReview = () => {};
/** One gigabyte, as fast as the connection takes it. */
const huge: AnswerReview = (_review, response) => {
  const part = Buffer.alloc(1024 * 1024, ' ');
  let left = 1024;
  const write = (): void => {
    while (left-- > 0)
      if (!response.write(part)) {
        response.once('drain', write);
        return;
      }
    response.end();
  };
  write();
};

const failures: readonly (readonly [what: string, answer: AnswerReview | 'stopped', message: RegExp])[] = [
  ['does not run', 'stopped', /failed to call webhook: Post "https:.*": /],
  ['does not answer', silent, /it did not respond within 1 s/],
  ['answers with an error', text('secret', 500), /it answered 500/],
  ['redirects to another place', text('', 301), /it answered 301/],
  ['answers no JSON', text('secret {'), /its answer is not JSON/],
  ['answers with 1 GB', huge, /its answer is too large/],
  [
    'answers to another request',
    malformed((answer) => (answer.response.uid = 'secret')),
    /expected response\.uid=/,
  ],
  [
    'answers as another kind',
    malformed((answer) => (answer.kind = 'secret')),
    /expected webhook response of/,
  ],
  [
    'answers without a response',
    malformed((answer) => delete answer.response),
    /webhook response was absent/,
  ],
];

describe('writes while a webhook fails', { timeout: 120_000 }, () => {
  let cluster: WebhookCluster;
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer();
    cluster = await WebhookCluster.around(server);
    const { client } = cluster;
    jsonOf(await client.post(configMaps, configMap('victim')), 201);
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
    jsonOf(await client.post('/api/v1/namespaces/default/pods', pod), 201);
  });
  after(async () => cluster[Symbol.asyncDispose]());

  const entry = (fields: object): object => {
    const rule = { resources: ['configmaps', 'pods/exec'] };
    return webhookEntry(cluster.webhook, { rule, ...fields });
  };
  const fail = async (answer: AnswerReview | 'stopped'): Promise<void> => {
    if (answer === 'stopped') await cluster.webhook.stop();
    else cluster.webhook.answer = answer;
  };
  const recover = async (answer: AnswerReview | 'stopped'): Promise<void> => {
    cluster.webhook.answer = admitting();
    if (answer === 'stopped') await cluster.webhook.start();
  };

  for (const phase of ['validating', 'mutating'] as const)
    for (const [what, answer, message] of failures)
      it(`a ${phase} webhook that ${what} fails each write, or none when failures are ignored`, async () => {
        const { client } = cluster;
        const timeoutSeconds = answer === silent ? 1 : 30;
        {
          await using _configuration = await cluster.configure(phase, 'fails', [entry({ timeoutSeconds })]);
          await fail(answer);
          const refused = async ([way, [method, path, options]]: [string, (typeof writes)[string]]) => {
            const body = jsonOf(await client.send(method, path, options), 500);
            assert.match(
              body.message,
              /^Internal error occurred: failed calling webhook "w\.example\.com": /,
              way,
            );
            assert.match(body.message, message, way);
            assert.doesNotMatch(body.message, /secret/, way);
            assert.equal(body.reason, 'InternalError', way);
          };
          await Promise.all(Object.entries(writes).map(refused));
          await recover(answer);
        }
        await using _configuration = await cluster.configure(phase, 'ignored', [
          entry({ timeoutSeconds, failurePolicy: 'Ignore' }),
        ]);
        await fail(answer);
        jsonOf(await client.post(configMaps, configMap('ignored')), 201);
        jsonOf(await client.delete(`${configMaps}/ignored`));
        await recover(answer);
        assert.doesNotMatch(server.output(), /secret/);
      });

  it('a webhook that was stopped and started again is called again', async () => {
    const { client } = cluster;
    await using _configuration = await cluster.configure('validating', 'restarted', [entry({})]);
    for (let i = 0; i < 3; i++) {
      jsonOf(await client.send('PATCH', victim, { ...merge, body: { data: { a: String(i) } } }));
      await cluster.webhook.stop();
      await cluster.webhook.start();
    }
  });

  it('a mutating webhook that patches what it may not fails the write, also when failures are ignored', async () => {
    const { client } = cluster;
    await using _configuration = await cluster.configure('mutating', 'lies', [
      entry({ failurePolicy: 'Ignore' }),
    ]);
    for (const field of ['name', 'namespace', 'resourceVersion']) {
      cluster.webhook.answer = admitting(() =>
        patching({ op: 'add', path: `/metadata/${field}`, value: 'x' }),
      );
      for (const way of ['create', 'update', 'patch', 'apply', 'create in a dry run'] as const) {
        const [method, path, options] = writes[way] ?? ['', ''];
        const { message } = jsonOf(await client.send(method, path, options), 500);
        assert.match(
          message,
          new RegExp(`attempted to modify metadata\\.${field}, which it may not change`),
          way,
        );
      }
    }
    for (const field of ['kind', 'apiVersion']) {
      cluster.webhook.answer = admitting(() => patching({ op: 'replace', path: `/${field}`, value: 'x' }));
      const { message } = jsonOf(
        await client.send('POST', '/api/v1/namespaces/default/pods/p/exec?command=ls'),
        500,
      );
      assert.match(message, /w\.example\.com/, field);
    }
    cluster.webhook.answer = admitting(() => patching({ op: 'add', path: '/metadata', value: {} }));
    for (const way of ['delete', 'delete in a dry run', 'deletecollection'] as const) {
      const [method, path, options] = writes[way] ?? ['', ''];
      const { message } = jsonOf(await client.send(method, path, options), 500);
      assert.match(message, /attempted to modify the object, which is not supported for this operation/, way);
    }
    cluster.webhook.answer = admitting();
  });
});
