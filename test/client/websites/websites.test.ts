import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  builtinResources,
  createClient,
  isForbidden,
  isNotFound,
  type LoadedConfig,
  namesFor,
  runManager,
} from '@orch/client';
import {
  type ControlPlane,
  checkIdempotent,
  checkNoHotLoop,
  checkOrders,
  checkRestarts,
  startControlPlane,
  takeLease,
  withFaults,
} from '@orch/testing';
import type { Website } from '../../../examples/websites/website.ts';
import { LineCoverage } from './line-coverage.ts';

const folder = join(import.meta.dirname, '../../../examples/websites/');
const LEAST_COVERAGE = 0.95;
const TIMEOUT_MS = 60_000;
const naming = 'kubernetes';
const names = namesFor(naming);

/** Loaded after the coverage has begun. */
const loaded = async () => ({
  ...(await import('../../../examples/websites/website.ts')),
  ...(await import('../../../examples/websites/webhooks.ts')),
  ...(await import('../../../examples/websites/operator.ts')),
});

describe('the example operator for websites', { timeout: 600_000 }, () => {
  let coverage: LineCoverage;
  let example: Awaited<ReturnType<typeof loaded>>;
  let plane: ControlPlane;

  before(async () => {
    coverage = await LineCoverage.start();
    example = await loaded();
    const { websiteDefinition, webhookConfigurations, admission } = example;
    plane = await startControlPlane({
      naming,
      forks: 1,
      crds: [websiteDefinition(names)],
      webhooks: { admission, configurations: webhookConfigurations(names) },
    });
    await plane.quiescent({ timeoutMs: TIMEOUT_MS });
  });
  after(async () => {
    coverage?.[Symbol.dispose]();
    await plane?.stop();
  });
  beforeEach(() => plane.reset());

  /** The operator as its program runs it, without the ports, which belong to a cluster. */
  const run = (config: LoadedConfig, signal: AbortSignal, election = false): Promise<void> => {
    const { ops: _, servers: __, ...options } = example.websiteOperator('/tls');
    const short = { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 200 };
    return runManager({ ...options, election: election && short, config }, signal);
  };

  async function whileRunning(work: () => Promise<void>, config = plane.config): Promise<void> {
    const stop = new AbortController();
    const running = run(config, stop.signal);
    try {
      await work();
    } finally {
      stop.abort();
      await running;
    }
  }

  const clientOf = (of = plane) => {
    const client = createClient(of.config);
    const { configmaps } = builtinResources(client.names).core.v1;
    return {
      sites: client.resource(example.websites, 'default'),
      maps: client.resource(configmaps, 'default'),
    };
  };

  const site = (name: string, host = `${name}.example.com`): Website => ({
    metadata: { name },
    spec: { host, page: `page of ${name}` },
  });

  const ready = (now: Website | undefined): string | undefined =>
    now?.status?.conditions?.find(({ type }) => type === 'Ready')?.reason;

  const becomes = (of: Website, reason: string): Promise<Website | undefined> =>
    plane.eventually(of, (now) => assert.equal(ready(now), reason), { timeoutMs: TIMEOUT_MS });

  const catalogue = async (): Promise<unknown> => (await clientOf().maps.get('website-catalogue')).data;

  it('a website gets its defaults, its page, its entry in the catalogue and its condition', async () => {
    const { sites, maps } = clientOf();
    await whileRunning(async () => {
      const made = await sites.create(site('a'));
      assert.equal(made.spec.title, 'a.example.com');
      const now = await becomes(made, 'Published');
      assert.equal(now?.status?.conditions?.[0]?.observedGeneration, 1);
      assert.deepEqual((await maps.get('a-page')).data, {
        title: 'a.example.com',
        'index.html': 'page of a',
      });
      assert.deepEqual(await catalogue(), { 'a.example.com': 'default/a' });
    });
  });

  it('a page that was changed or deleted is made again, and a new page is published', async () => {
    const { sites, maps } = clientOf();
    await whileRunning(async () => {
      await becomes(await sites.create(site('a')), 'Published');
      const page = await maps.get('a-page');
      await maps.patch.merge('a-page', { data: { 'index.html': 'changed' } });
      const isBack = (now: typeof page | undefined): boolean => now?.data?.['index.html'] === 'page of a';
      await plane.eventually(page, isBack, { timeoutMs: TIMEOUT_MS });
      await maps.delete('a-page');
      await plane.eventually(page, isBack, { timeoutMs: TIMEOUT_MS });
      await sites.patch.merge('a', { spec: { page: 'new', title: 'A' } });
      await plane.eventually(page, (now) => now?.data?.['index.html'] === 'new', { timeoutMs: TIMEOUT_MS });
    });
  });

  it('a deleted website leaves the catalogue, and its page is collected', async () => {
    const { sites, maps } = clientOf();
    await whileRunning(async () => {
      const made = await sites.create(site('a'));
      await becomes(made, 'Published');
      const page = await maps.get('a-page');
      await sites.delete('a');
      await plane.eventually(made, (now) => now === undefined, { timeoutMs: TIMEOUT_MS });
      await plane.eventually(page, (now) => now === undefined, { timeoutMs: TIMEOUT_MS });
      assert.deepEqual((await catalogue()) ?? {}, {});
    });
  });

  it('the host of a deleted website passes to the next one that asked for it', async () => {
    const { sites } = clientOf();
    await whileRunning(async () => {
      await becomes(await sites.create(site('a', 'shared.example.com')), 'Published');
      const second = await sites.create(site('b', 'shared.example.com'));
      await becomes(second, 'HostTaken');
      await sites.delete('a');
      await becomes(second, 'Published');
      assert.deepEqual(await catalogue(), { 'shared.example.com': 'default/b' });
    });
  });

  it('a host that is not valid is refused, and so is a change of it', async () => {
    const { sites } = clientOf();
    await assert.rejects(sites.create(site('a', 'no host')), (error: Error) => {
      return isForbidden(error) && /"no host" must be a host name/.test(error.message);
    });
    await sites.create(site('a'));
    await assert.rejects(sites.patch.merge('a', { spec: { host: 'other.example.com' } }), isForbidden);
    await sites.delete('a');
    await assert.rejects(sites.get('a'), isNotFound);
  });

  it('a replica whose Lease was taken ends, and the next one works', async () => {
    const { sites } = clientOf();
    const first = run(plane.config, new AbortController().signal, true);
    await becomes(await sites.create(site('a')), 'Published');
    const lost = assert.rejects(first, /the leadership was lost/);
    await takeLease(plane.config, { name: 'websites' });
    await lost;
    await sites.patch.merge('a', { spec: { page: 'later' } });
    const stop = new AbortController();
    const next = run(plane.config, stop.signal, true);
    const page = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a-page', namespace: 'default' } };
    const isLater = (now: { data?: Record<string, string> } | undefined): boolean =>
      now?.data?.['index.html'] === 'later';
    await plane.eventually(page as typeof page & { data?: Record<string, string> }, isLater, {
      timeoutMs: TIMEOUT_MS,
    });
    stop.abort();
    await next;
  });

  it('the operator is idempotent, has no hot loop, and reaches one state from every order and over restarts', async () => {
    const create = (name: string) => (client: ReturnType<typeof createClient>) =>
      client.resource(example.websites, 'default').create(site(name));
    const subject = { plane, run, steps: [create('a'), create('b')], timeoutMs: TIMEOUT_MS };
    await checkIdempotent(subject);
    await checkNoHotLoop(subject);
    await checkOrders(subject, { orders: 2 });
    await checkRestarts({ ...subject, steps: [create('a')] });
  });

  it('the operator publishes websites under faults', async () => {
    await withFaults(plane.config, { seed: 11, rate: 0.2 }, (config) =>
      whileRunning(async () => {
        const made = await Promise.all(['a', 'b', 'c'].map((name) => clientOf().sites.create(site(name))));
        for (const one of made) await becomes(one, 'Published');
      }, config),
    );
  });

  it('the tests run at least 95 % of the lines of the operator', async () => {
    const { missed, lines } = await coverage.read(folder);
    assert.ok(lines > 150, `${lines} lines with code`);
    assert.ok(1 - missed.length / lines >= LEAST_COVERAGE, `of ${lines} lines: ${missed.join(' ')}`);
  });
});
