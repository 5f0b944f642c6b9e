import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { poll } from '@orch/machinery/testing';
import { admitting, WebhookServer, webhookEntry } from '@orch/server/testing';
import {
  ApiClient,
  freePort,
  type LaunchedServer,
  launchServer,
  PrometheusServer,
  prometheusProgram,
} from '@orch/testkit';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
}

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

/** A token webhook that accepts one token and records the headers of its requests. */
async function tokenService() {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, answer) => {
    asked.push(incoming.headers);
    incoming.resume();
    answer.setHeader('content-type', 'application/json');
    const status = { authenticated: true, user: { username: 'alice', groups: ['system:masters'] } };
    answer.end(JSON.stringify({ apiVersion: 'authentication.orch.io/v1', kind: 'TokenReview', status }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { asked, server, port: (server.address() as AddressInfo).port };
}

describe('built program with a tracing SDK loaded by --import', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-tracing-'));
  const spansFile = join(work, 'spans');
  let service: Awaited<ReturnType<typeof tokenService>>;
  let launched: LaunchedServer;
  let ops: string;

  const spans = (): Span[] =>
    readFileSync(spansFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Span);

  before(async () => {
    writeFileSync(spansFile, '');
    service = await tokenService();
    const config = join(work, 'webhook.yaml');
    writeFileSync(
      config,
      `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: 'http://127.0.0.1:${service.port}/review'}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
users: [{name: u, user: {}}]
current-context: x
`,
    );
    const exporter = pathToFileURL(join(import.meta.dirname, 'file-exporter.mjs')).href;
    ops = `127.0.0.1:${await freePort()}`;
    launched = await launchServer({
      env: { NODE_OPTIONS: `--import=${exporter}`, SPANS_FILE: spansFile },
      args: [
        `--authentication-token-webhook-config-file=${config}`,
        '--authentication-token-webhook-version=v1',
        `--ops-bind-address=${ops}`,
      ],
    });
  });
  after(async () => {
    await launched[Symbol.asyncDispose]();
    service.server.close();
    rmSync(work, { recursive: true, force: true });
  });

  it('a tracing SDK receives the spans of a write, and webhooks receive its trace context', async () => {
    using alice = new ApiClient({
      ...launched.config,
      cert: undefined,
      key: undefined,
      token: 'opaque',
    });
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'traced' } };
    const headers = { traceparent: `00-${trace}-${parent}-01`, tracestate: 'shop=42' };
    const answer = await alice.post('/api/v1/namespaces/default/configmaps', body, { headers });
    assert.equal(answer.status, 201, answer.text);
    const ours = spans().filter((span) => span.traceId === trace);
    const named = (name: string): Span => {
      const found = ours.find((span) => span.name === name);
      assert.ok(found !== undefined, `${name} among ${ours.map((span) => span.name).join(', ')}`);
      return found;
    };
    const request = named('POST /api/v1/namespaces/{namespace}/configmaps');
    assert.equal(request.parentId, parent);
    for (const stage of ['authenticate', 'flow control', 'authorize', 'admission'])
      assert.equal(named(stage).parentId, request.spanId, stage);
    assert.equal(named('store create').parentId, named('admission').spanId);
    const question = named('webhook');
    assert.equal(question.parentId, named('authenticate').spanId);
    assert.deepEqual(
      service.asked.map(({ traceparent, tracestate }) => ({ traceparent, tracestate })),
      [{ traceparent: `00-${trace}-${question.spanId}-01`, tracestate: 'shop=42' }],
    );
  });

  it('a call of an admission webhook is a span of the admission of its request, and carries its context', async () => {
    const received: unknown[] = [];
    const admit = admitting();
    await using webhook = await WebhookServer.start((review, response) => {
      received.push(response.req.headers['traceparent']);
      admit(review, response);
    });
    const { client } = launched;
    const configurations = '/apis/admissionregistration.orch.io/v1/validatingwebhookconfigurations';
    const configuration = { metadata: { name: 'v' }, webhooks: [webhookEntry(webhook)] };
    const created = await client.post(configurations, configuration);
    assert.equal(created.status, 201, created.text);
    // A list waits until the cache has the configuration, which is then in effect.
    await client.get(configurations);
    const ownTrace = trace.replace('4b', 'aa');
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'reviewed' } };
    const headers = { traceparent: `00-${ownTrace}-${parent}-01` };
    const answer = await client.post('/api/v1/namespaces/default/configmaps', body, { headers });
    assert.equal(answer.status, 201, answer.text);
    const ours = spans().filter((span) => span.traceId === ownTrace);
    const [call, ...others] = ours.filter((span) => span.name === 'webhook');
    assert.equal(others.length, 0);
    assert.equal(call?.parentId, ours.find((span) => span.name === 'admission')?.spanId);
    assert.deepEqual(received, [`00-${ownTrace}-${call?.spanId}-01`]);
    await client.delete(`${configurations}/v`);
  });

  const prometheusPath = prometheusProgram('prometheus');
  const skip = prometheusPath === undefined ? 'prometheus is not found' : false;
  it('Prometheus finds the trace of a request among the exemplars of its duration', { skip }, async () => {
    await using prometheus = await PrometheusServer.start(prometheusPath ?? '', { 'orch-apiserver': [ops] });
    const ownTrace = trace.replace('4b', 'bb');
    const headers = { traceparent: `00-${ownTrace}-${parent}-01` };
    const answer = await launched.client.get('/api/v1/namespaces/default/configmaps', { headers });
    assert.equal(answer.status, 200, answer.text);
    const selector = 'apiserver_request_duration_seconds_bucket{verb="LIST",resource="configmaps"}';
    await poll('an exemplar', 30_000, async () => (await prometheus.tracesOf(selector)).includes(ownTrace));
  });

  it('spans contain no tokens and no private keys', async () => {
    const text = readFileSync(spansFile, 'utf8');
    assert.ok(!text.includes('opaque'));
    assert.ok(!text.includes('PRIVATE KEY'));
  });
});
