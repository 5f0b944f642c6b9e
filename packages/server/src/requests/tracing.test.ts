import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Authenticator } from '@orch/auth';
import { testEnv } from '@orch/machinery/testing';
import { openTracing, Tracing, tracedStore } from '@orch/pipeline';
import { configMap } from '@orch/registry/testing';
import { localRequest } from '@orch/request';
import { FaultyStore } from '@orch/storage/conformance';
import { ApiFixture, type ApiFixtureOptions } from '../testing/index.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const objectRoute = 'GET /api/v1/namespaces/{namespace}/configmaps/{name}';
const collection = '/api/v1/namespaces/default/configmaps';

/** The API with a real SDK that records spans. */
async function tracedApi(options: ApiFixtureOptions = {}, sampler?: ParentBasedSampler) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...(sampler === undefined ? {} : { sampler }),
  });
  const tracing = new Tracing(provider);
  const api = await ApiFixture.open({
    ...options,
    tracing,
    wrap: (store) => tracedStore(options.wrap?.(store) ?? store, '/registry/', tracing),
  });
  exporter.reset();
  return {
    api,
    tracing,
    spans: () => exporter.getFinishedSpans(),
    forget: () => exporter.reset(),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await provider.shutdown();
    },
  };
}

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const [found, ...more] = spans.filter((span) => span.name === name);
  assert.ok(found !== undefined, `${name} among ${spans.map((span) => span.name).join(', ')}`);
  assert.equal(more.length, 0, `one ${name}`);
  return found;
};

/** Names of spans with the names of their parents. */
const family = (spans: readonly ReadableSpan[]): string[] =>
  spans
    .map((span) => {
      const outer = spans.find((one) => one.spanContext().spanId === span.parentSpanContext?.spanId);
      return `${outer?.name ?? '-'} > ${span.name}`;
    })
    .sort();

const failing = (authenticator: Authenticator): ApiFixtureOptions => ({
  access: { authenticator, authorizer: { authorize: () => ({ verdict: 'deny', reason: 'no' }) } },
});

describe('tracing of API requests', () => {
  it('the stages and store calls of a write are spans of its request', async () => {
    await using traced = await tracedApi();
    await traced.api.post(collection, configMap('one'));
    const route = 'POST /api/v1/namespaces/{namespace}/configmaps';
    assert.deepEqual(
      family(traced.spans()).filter((line) => !line.includes('revision')),
      [
        `${route} > admission`,
        `${route} > authenticate`,
        `${route} > authorize`,
        `${route} > flow control`,
        '- > POST /api/v1/namespaces/{namespace}/configmaps',
        'admission > store create',
      ].sort(),
    );
    assert.equal(new Set(traced.spans().map((span) => span.spanContext().traceId)).size, 1);
    const create = named(traced.spans(), 'store create');
    assert.deepEqual(create.attributes, {
      'db.operation.name': 'create',
      'db.collection.name': 'configmaps',
    });
    assert.equal(create.kind, SpanKind.CLIENT);
  });

  it('a request span has method, route and status', async () => {
    await using traced = await tracedApi();
    await traced.api.get(`${collection}/none`, { headers: { 'user-agent': 'a'.repeat(5000) } });
    const request = named(traced.spans(), objectRoute);
    assert.equal(request.kind, SpanKind.SERVER);
    assert.deepEqual(request.attributes, {
      'http.request.method': 'GET',
      'url.scheme': 'https',
      'url.path': `${collection}/none`,
      'http.route': '/api/v1/namespaces/{namespace}/configmaps/{name}',
      'user_agent.original': 'a'.repeat(256),
      'client.address': '',
      'audit.id': 'local',
      'http.response.status_code': 404,
    });
    assert.equal(request.status.code, SpanStatusCode.UNSET);
  });

  it('a request continues the trace of the client, with its trace state', async () => {
    await using traced = await tracedApi();
    const headers = { traceparent: `00-${trace}-${parent}-01`, tracestate: 'shop=42' };
    await traced.api.get(`${collection}/one`, { headers });
    const request = named(traced.spans(), objectRoute);
    assert.equal(request.spanContext().traceId, trace);
    assert.equal(request.parentSpanContext?.spanId, parent);
    assert.equal(request.spanContext().traceState?.serialize(), 'shop=42');
  });

  it('the spans of concurrent requests are kept apart', async () => {
    await using traced = await tracedApi();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        traced.api.post(collection, configMap(`c-${at}`), {
          headers: { traceparent: `00-${String(at + 1).padStart(32, '0')}-${parent}-01` },
        }),
      ),
    );
    const spans = traced.spans();
    for (let at = 1; at <= 20; at++) {
      const own = spans.filter((span) => span.spanContext().traceId === String(at).padStart(32, '0'));
      named(own, 'store create');
      assert.equal(named(own, 'admission').parentSpanContext?.traceId, String(at).padStart(32, '0'));
    }
  });

  for (const traceparent of [
    'x',
    `00-${'0'.repeat(32)}-${parent}-01`,
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
    '-'.repeat(60_000),
  ]) {
    it(`a malformed traceparent starts a new trace: ${traceparent.slice(0, 20)}`, async () => {
      await using traced = await tracedApi();
      await traced.api.post(collection, configMap('one'));
      traced.forget();
      const headers = { traceparent, tracestate: '\u0000,=' };
      assert.equal((await traced.api.get(`${collection}/one`, { headers })).status, 200);
      const request = named(traced.spans(), objectRoute);
      assert.equal(request.parentSpanContext, undefined);
      assert.notEqual(request.spanContext().traceId, trace);
    });
  }

  it('unsampled requests export no spans, and the flag is propagated', async () => {
    const sampler = new ParentBasedSampler({ root: new AlwaysOffSampler() });
    await using traced = await tracedApi({}, sampler);
    await traced.api.get(collection);
    assert.deepEqual(traced.spans(), []);
    await traced.api.get(collection, { headers: { traceparent: `00-${trace}-${parent}-01` } });
    assert.ok(traced.spans().length > 0);
  });

  it('the duration of a sampled request has its trace as exemplar in OpenMetrics, that of others has none', async () => {
    const sampler = new ParentBasedSampler({ root: new AlwaysOffSampler() });
    await using traced = await tracedApi({}, sampler);
    const { metrics } = traced.api.env;
    await traced.api.get(`${collection}/one`);
    assert.doesNotMatch(await metrics.exposition('openMetrics'), /trace_id/);
    await traced.api.get(`${collection}/one`, { headers: { traceparent: `00-${trace}-${parent}-01` } });
    const exemplary = new RegExp(
      `^apiserver_request_duration_seconds_bucket\\{.*verb="GET".*# \\{trace_id="${trace}"\\} [\\d.e-]+ [\\d.]+$`,
      'm',
    );
    assert.match(await metrics.exposition('openMetrics'), exemplary);
  });

  it('span names contain served routes only, never text of clients', async () => {
    await using traced = await tracedApi();
    for (const path of ['/api/v1/things', '/apis/my.group/v1/secrets-of-mine/x', '/nowhere/at/all'])
      await traced.api.get(path);
    const roots = traced.spans().filter((span) => span.parentSpanContext === undefined);
    assert.deepEqual(
      roots.map(({ name }) => name),
      ['GET', 'GET', 'GET'],
    );
    assert.ok(roots.every(({ attributes }) => !('http.route' in attributes)));
  });

  it('a refused request marks the stage, without the reason', async () => {
    const refusing = failing({ authenticate: () => ({ kind: 'rejected', reason: 'token hunter2' }) });
    await using traced = await tracedApi(refusing);
    const answer = await traced.api.get(collection, { headers: { authorization: 'Bearer hunter2' } });
    assert.equal(answer.status, 401);
    const spans = traced.spans();
    assert.equal(named(spans, 'authenticate').status.code, SpanStatusCode.ERROR);
    assert.ok(!spans.some(({ name }) => name === 'authorize'));
    assert.ok(
      !JSON.stringify(spans.map(({ name, attributes, status }) => ({ name, attributes, status }))).includes(
        'hunter2',
      ),
    );
  });

  it('a denied request marks authorization and no earlier stage', async () => {
    const user = { name: 'eve', uid: '', groups: [], extra: {} };
    await using traced = await tracedApi(failing({ authenticate: async () => ({ kind: 'user', user }) }));
    assert.equal((await traced.api.get(collection)).status, 403);
    const codes = traced.spans().map(({ name, status }) => [name, status.code]);
    assert.deepEqual(Object.fromEntries(codes), {
      authenticate: SpanStatusCode.UNSET,
      'flow control': SpanStatusCode.UNSET,
      authorize: SpanStatusCode.ERROR,
      'GET /api/v1/namespaces/{namespace}/configmaps': SpanStatusCode.UNSET,
    });
  });

  it('an unknown outcome marks the spans of store, admission and request', async () => {
    const faulty: FaultyStore[] = [];
    await using traced = await tracedApi({
      wrap: (store) => {
        const made = new FaultyStore(store, testEnv());
        faulty.push(made);
        return made;
      },
    });
    for (const store of faulty) store.faults = { requestLost: 1 };
    assert.equal((await traced.api.post(collection, configMap('one'))).status, 504);
    for (const store of faulty) store.faults = {};
    for (const name of ['store create', 'admission', 'POST /api/v1/namespaces/{namespace}/configmaps'])
      assert.equal(named(traced.spans(), name).status.code, SpanStatusCode.ERROR, name);
    assert.equal(named(traced.spans(), 'store create').attributes['error.type'], 'outcomeUnknown');
  });

  for (const [what, isComplete, status] of [
    ['complete', true, 200],
    ['broken off by the client', false, 499],
  ] as const) {
    it(`the span of a list ends with its last byte: ${what}`, async () => {
      await using traced = await tracedApi();
      const reply = await traced.api.raw(localRequest({ target: collection }));
      assert.equal(reply.kind, 'chunks');
      const name = 'GET /api/v1/namespaces/{namespace}/configmaps';
      assert.ok(!traced.spans().some((span) => span.name === name));
      if (reply.kind === 'chunks') reply.onSent?.(0, isComplete);
      assert.equal(named(traced.spans(), name).attributes['http.response.status_code'], status);
    });
  }

  it('the span of a watch ends when the watch begins', async () => {
    await using traced = await tracedApi();
    const watching = await traced.api.watch(`${collection}?watch=true`);
    named(traced.spans(), 'GET /api/v1/namespaces/{namespace}/configmaps');
    watching.stop();
    await watching.ended;
  });

  it('background work of the server creates no spans', async () => {
    await using traced = await tracedApi();
    assert.deepEqual(traced.tracing.headers(), {});
    const value = await traced.tracing.spanned({ name: 'x', kind: 'internal' }, async () => 7);
    assert.equal(value, 7);
    assert.deepEqual(traced.spans(), []);
  });

  it('without an SDK there is no tracing', () => {
    assert.equal(openTracing(), undefined);
  });
});
