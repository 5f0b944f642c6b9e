import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';
import { cms, configMap, create, eventsUntil, expectCode } from './fixture.ts';

const always = ['ping', 'log', 'etcd', 'storage-space'];
const startSteps = [
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'bootstrap-controller',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'start-cluster-authentication-info-controller',
].map((name) => `poststarthook/${name}`);

const checks = {
  healthz: [...always, ...startSteps],
  livez: [...always, ...startSteps],
  readyz: [...always, 'informer-sync', 'serving-threads', ...startSteps, 'shutdown'],
} as const;

/** Health and metrics as operators and their machines see them (spec 4.11; facts: health-checks, metrics). */
describe('health and metrics', { timeout: 60_000 }, () => {
  let server: LaunchedServer;
  let api: ApiClient;
  before(async () => {
    server = await launchServer({
      args: ['--ops-bind-address=127.0.0.1:0', '--livez-grace-period=10s'],
    });
    api = server.client;
    await create(api, cms, configMap('a'));
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [endpoint, expected] of Object.entries(checks)) {
    it(`/${endpoint} is ok and lists every check`, async () => {
      const plain = expectCode(200, await api.get(`/${endpoint}`));
      assert.equal(plain.text, 'ok');
      assert.equal(plain.headers['content-type'], 'text/plain; charset=utf-8');
      assert.equal(plain.headers['x-content-type-options'], 'nosniff');
      const verbose = expectCode(200, await api.get(`/${endpoint}?verbose`));
      assert.equal(
        verbose.text,
        `${expected.map((check) => `[+]${check} ok\n`).join('')}${endpoint} check passed\n`,
      );
      for (const check of expected) {
        assert.equal(expectCode(200, await api.get(`/${endpoint}/${check}`)).text, 'ok', check);
        const without = await api.get(`/${endpoint}?verbose=true&exclude=${check}`);
        assert.match(without.text, new RegExp(`^\\[\\+\\]${check} excluded: ok$`, 'm'));
      }
      assert.match(
        (await api.get(`/${endpoint}?verbose&exclude=ping&exclude=log`)).text,
        /^\[\+\]ping excluded: ok\n\[\+\]log excluded: ok\n/,
      );
      assert.match(
        (await api.get(`/${endpoint}?verbose&exclude=z&exclude=a`)).text,
        new RegExp(
          `\\nwarn: some health checks cannot be excluded: no matches for "a", "z"\\n${endpoint} check passed\\n$`,
        ),
      );
      assert.equal((await api.get(`/${endpoint}/nothing`)).status, 404);
      assert.equal((await api.send('HEAD', `/${endpoint}`)).status, 200);
    });
  }

  it('health and metrics are on the ops port over plain HTTP without credentials', async () => {
    const [, address] = await server.waitFor(/http:\/\/(127\.0\.0\.1:\d+)/, 5000);
    assert.equal(await (await fetch(`http://${address}/readyz`)).text(), 'ok');
    assert.equal((await fetch(`http://${address}/livez/ping`)).status, 200);
    const metrics = await fetch(`http://${address}/metrics`);
    assert.equal(metrics.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.equal((await fetch(`http://${address}${cms}`)).status, 404, 'and nothing else');
  });

  it('metrics have the names that dashboards use', async () => {
    await eventsUntil(api, `${cms}?watch=1&resourceVersion=0`, (seen) => seen.length === 1);
    await api.get(`${cms}/none`);
    await api.get(cms);
    await api.get(`${cms}?labelSelector=a`);
    const { text, headers } = expectCode(200, await api.get('/metrics'));
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    for (const name of [
      'apiserver_request_total',
      'apiserver_request_duration_seconds_bucket',
      'apiserver_response_sizes_bucket',
      'apiserver_current_inflight_requests',
      'apiserver_longrunning_requests',
      'apiserver_watch_events_total',
      'apiserver_watch_events_sizes_bucket',
      'apiserver_storage_objects',
      'apiserver_cache_list_total',
      'apiserver_cache_list_fetched_objects_total',
      'apiserver_cache_list_returned_objects_total',
      'apiserver_tls_handshake_errors_total',
      'authenticated_user_requests',
      'authentication_attempts',
      'authentication_duration_seconds_bucket',
      'watch_cache_capacity',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_start_time_seconds',
    ])
      assert.match(text, new RegExp(`^${name}(\\{| )`, 'm'), name);
    assert.match(
      text,
      /^apiserver_request_total\{code="404",component="apiserver",dry_run="",group="",resource="configmaps",scope="(resource|namespace)",subresource="",verb="GET",version="v1"\} 1$/m,
    );
    // The test's own, the authentication configuration for extension servers, and the serving authorities.
    assert.match(text, /^apiserver_storage_objects\{resource="configmaps"\} 3$/m);
    // A string that a scraper reads: every line is a comment or a sample, every family has its type once.
    const types = new Set<string>();
    for (const line of text.trimEnd().split('\n')) {
      const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line);
      if (type !== null) {
        assert.ok(!types.has(type[1] ?? ''), line);
        types.add(type[1] ?? '');
      } else
        assert.match(line, /^(# HELP \S+ .+|[a-z_][a-z0-9_]*(\{.*\})? (-?[\d.]+(e[+-]?\d+)?|[+-]Inf|NaN))$/i);
    }
  });
});
