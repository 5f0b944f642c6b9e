import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { typed } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { startEtcd, TcpProxy } from '@orch/storage/testing';
import {
  type ApiClient,
  type ApiResponse,
  type LaunchedServer,
  launchServer,
  type WatchEvent,
} from '@orch/testkit';
import { adminClient } from '../client/connection.ts';
import {
  type ApiItem,
  cms,
  configMap,
  create,
  eventsUntil,
  expectCode,
  item,
  list,
  names,
  podObject,
  pods,
  refused,
  type StatusBody,
  status,
  typesOf,
  wholeWatch,
} from './fixture.ts';

/** A revision that no test reaches. */
const future = '100000000';

/**
 * The tables of spec 4.4 over sockets. Three states of one collection are created: `a` at `first`, then `a` and `b`,
 * then at `last` all of `a`, `b`, `c`. The promise of a cell determines in which of them a response may be.
 */
for (const backend of ['embedded', 'etcd'] as const) {
  describe(`reads on ${backend} (spec 4.4)`, { timeout: 180_000 }, () => {
    let etcd: Awaited<ReturnType<typeof startEtcd>> | undefined;
    let server: LaunchedServer;
    let api: ApiClient;
    let first = '';
    let last = '';
    /** Answers to reads ahead of the server, asked at the start since each takes its time. */
    let ahead: Promise<readonly ApiResponse[]>;

    before(async () => {
      etcd = backend === 'etcd' ? await startEtcd() : undefined;
      server = await launchServer(etcd === undefined ? { threads: 2 } : { etcd: etcd.endpoints });
      api = server.client;
      ahead = Promise.all(
        [
          `${cms}/a?`,
          `${cms}?`,
          `${cms}?limit=1&`,
          `${cms}?resourceVersionMatch=Exact&`,
          `${cms}?resourceVersionMatch=NotOlderThan&`,
        ].map((path) => api.get(`${path}resourceVersion=${future}`)),
      );
      first = (await create(api, cms, configMap('a', {}, { labels: { app: 'x' } }))).metadata.resourceVersion;
      await create(api, cms, configMap('b', {}, { labels: { app: 'y' } }));
      last = (await create(api, cms, configMap('c', {}, { labels: { app: 'x' } }))).metadata.resourceVersion;
      // Every thread has seen a namespace, and what was written before it, when its creation is answered (design 0020).
      await create(api, '/api/v1/namespaces', { metadata: { name: 'changing' } });
    });
    after(async () => {
      await server?.[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
    });

    /** `F` and `L` stand for the first and the last revision. */
    const filled = (query: string): string => query.replace('=F', `=${first}`).replace('=L', `=${last}`);

    describe('get requests', () => {
      for (const [title, query, code] of [
        ['get without resourceVersion returns the most recent state', '', 200],
        ['get with resourceVersion=0 returns any state', '?resourceVersion=0', 200],
        ['get with a resourceVersion treats it as a lower bound', '?resourceVersion=F', 200],
        ['get with the newest resourceVersion treats it as a lower bound', '?resourceVersion=L', 200],
      ] as const) {
        it(title, async () => {
          const answer = expectCode(code, await api.get(`${cms}/c${filled(query)}`));
          assert.equal(item(answer).metadata.resourceVersion, last);
        });
      }

      it('get with an invalid resourceVersion is answered with 400', async () => {
        for (const version of ['abc', '-1', '1.5']) {
          for (const path of [`${cms}/a?`, `${cms}?`, `${cms}?watch=1&`])
            refused(await api.get(`${path}resourceVersion=${version}`), 400, 'BadRequest');
        }
      });
    });

    describe('list requests', () => {
      type Expected = 'all' | 'first' | 400 | 422;
      const cells: readonly (readonly [string, Expected])[] = [
        // resourceVersionMatch unset, limit unset: Most Recent, Any, Not older than.
        ['', 'all'],
        ['?resourceVersion=0', 'all'],
        ['?resourceVersion=F', 'all'],
        ['?resourceVersion=L', 'all'],
        // resourceVersionMatch unset, limit: Most Recent, Any, Exact.
        ['?limit=10', 'all'],
        ['?limit=10&resourceVersion=0', 'all'],
        ['?limit=10&resourceVersion=F', 'first'],
        // Exact: Invalid, Invalid, Exact; with and without limit.
        ['?resourceVersionMatch=Exact', 422],
        ['?resourceVersionMatch=Exact&resourceVersion=0', 422],
        ['?resourceVersionMatch=Exact&resourceVersion=F', 'first'],
        ['?resourceVersionMatch=Exact&limit=10', 422],
        ['?resourceVersionMatch=Exact&limit=10&resourceVersion=0', 422],
        ['?resourceVersionMatch=Exact&limit=10&resourceVersion=F', 'first'],
        // NotOlderThan: Invalid, Any, Not older than; with and without limit.
        ['?resourceVersionMatch=NotOlderThan', 422],
        ['?resourceVersionMatch=NotOlderThan&resourceVersion=0', 'all'],
        ['?resourceVersionMatch=NotOlderThan&resourceVersion=F', 'all'],
        ['?resourceVersionMatch=NotOlderThan&limit=10', 422],
        ['?resourceVersionMatch=NotOlderThan&limit=10&resourceVersion=0', 'all'],
        ['?resourceVersionMatch=NotOlderThan&limit=10&resourceVersion=F', 'all'],
        // Combinations that no cell allows.
        ['?resourceVersionMatch=Newest&resourceVersion=L', 422],
        ['?limit=ten', 400],
      ];
      for (const [query, expected] of cells) {
        it(`list with ${query === '' ? 'no parameters' : query} is answered with ${expected}`, async () => {
          const answer = await api.get(cms + filled(query));
          if (expected === 'all') {
            assert.deepEqual(names(expectCode(200, answer)), ['a', 'b', 'c']);
            assert.ok(Number(list(answer).metadata.resourceVersion) >= Number(last));
          } else if (expected === 'first') {
            assert.deepEqual(names(expectCode(200, answer)), ['a']);
            assert.equal(list(answer).metadata.resourceVersion, first, 'exactly the version asked for');
          } else refused(answer, expected, expected === 422 ? 'Invalid' : 'BadRequest');
        });
      }

      for (const [title, query, expected] of [
        ['no version', '', 200],
        ['version 0, which is ignored', '&resourceVersion=0', 200],
        ['a version', '&resourceVersion=L', 400],
        ['a match', '&resourceVersionMatch=Exact&resourceVersion=L', 422],
      ] as const) {
        it(`a continued list with ${title} is answered with ${expected}`, async () => {
          const page = list(await api.get(`${cms}?limit=1`)).metadata.continue ?? '';
          const answer = await api.get(`${cms}?limit=1&continue=${page}${filled(query)}`);
          assert.equal(answer.status, expected, answer.text);
          if (expected === 200) assert.deepEqual(names(answer), ['b']);
        });
      }

      it('HEAD returns the header fields of GET without a body', async () => {
        for (const path of [cms, `${cms}/a`]) {
          const [head, got] = [await api.send('HEAD', path), await api.get(path)];
          assert.equal(head.status, 200);
          assert.equal(head.text, '');
          assert.equal(head.headers['content-type'], got.headers['content-type']);
        }
        assert.equal((await api.send('HEAD', `${cms}/none`)).status, 404);
      });
    });

    describe('lists in chunks (spec 4.6)', () => {
      it('all chunks of a list show one state despite concurrent writes, with the remaining item count', async () => {
        const chunks: string[] = [];
        const remaining: (number | undefined)[] = [];
        const versions = new Set<string>();
        let token: string | undefined = '';
        for (let count = 0; token !== undefined && count < 10; count++) {
          const answer = expectCode(200, await api.get(`${cms}?limit=1&continue=${token}`));
          const { metadata } = list(answer);
          chunks.push(...names(answer));
          versions.add(metadata.resourceVersion);
          remaining.push(metadata.remainingItemCount);
          token = metadata.continue;
          await create(api, cms, configMap(`aa-${count}`));
          if (count === 0) expectCode(200, await api.delete(`${cms}/b`));
        }
        assert.deepEqual(chunks, ['a', 'b', 'c']);
        assert.deepEqual(remaining, [2, 1, undefined]);
        assert.equal(versions.size, 1);
        assert.deepEqual(names(await api.get(cms)), ['a', 'aa-0', 'aa-1', 'aa-2', 'c'], 'a new list');
        for (const name of ['aa-0', 'aa-1', 'aa-2']) await api.delete(`${cms}/${name}`);
        await create(api, cms, configMap('b', {}, { labels: { app: 'y' } }));
      });

      it('chunks of a list with selectors have no remaining item count', async () => {
        for (const selector of ['labelSelector=app%3Dx', 'fieldSelector=metadata.name!%3Db']) {
          const answer = expectCode(200, await api.get(`${cms}?limit=1&${selector}`));
          assert.equal(names(answer).length, 1);
          assert.equal(list(answer).metadata.remainingItemCount, undefined);
          const rest = await api.get(`${cms}?${selector}&continue=${list(answer).metadata.continue}`);
          assert.deepEqual(names(rest), ['c']);
          assert.equal(list(rest).metadata.continue, undefined);
        }
      });

      it('a continue token is valid only for the list that issued it', async () => {
        const token = list(await api.get(`${cms}?limit=1`)).metadata.continue ?? '';
        for (const path of [
          `${cms}?limit=1&continue=${token.slice(0, -1)}`,
          `${cms}?limit=1&continue=${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`,
          `${cms}?limit=1&continue=${token}&labelSelector=app`,
          `${pods}?limit=1&continue=${token}`,
          `/api/v1/configmaps?limit=1&continue=${token}`,
        ])
          refused(await api.get(path), 400, 'BadRequest');
      });
    });

    describe('watch requests', () => {
      const bookmarks = '&allowWatchBookmarks=true';
      /** Objects change only here: a watch from version 0 elsewhere may begin with a state before a change. */
      const changing = cms.replace('/default/', '/changing/');

      it('a watch without resourceVersion or with 0 begins with the current state, with a version it begins after it', async () => {
        for (const [query, expected] of [
          ['', ['ADDED a', 'ADDED b', 'ADDED c']],
          ['&resourceVersion=0', ['ADDED a', 'ADDED b', 'ADDED c']],
          ['&resourceVersion=F&fieldSelector=metadata.name%3Dc', ['ADDED c']],
        ] as const) {
          const events = await eventsUntil(
            api,
            `${cms}?watch=1${filled(query)}`,
            (seen) => seen.length === expected.length,
          );
          assert.deepEqual(typesOf(events), expected, query);
        }
      });

      it('a watch delivers ADDED, MODIFIED and DELETED in order, with objects as GET returns them', async () => {
        const from = list(await api.get(changing)).metadata.resourceVersion;
        const shown: unknown[] = [];
        const events = await eventsUntil(
          api,
          `${changing}?watch=1&resourceVersion=${from}`,
          (seen) => seen.length === 3,
          async () => {
            shown.push((await api.post(changing, configMap('w'))).json);
            shown.push((await api.put(`${changing}/w`, configMap('w', { k: 'v' }))).json);
            await api.delete(`${changing}/w`);
          },
        );
        assert.deepEqual(typesOf(events), ['ADDED w', 'MODIFIED w', 'DELETED w']);
        assert.deepEqual(
          events.slice(0, 2).map(({ object }) => object),
          shown,
        );
        const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
        assert.deepEqual(
          versions,
          versions.toSorted((a, b) => a - b),
        );
        assert.deepEqual(events[2]?.object['data'], { k: 'v' }, 'the last state');
      });

      it('a watch reports an object that enters or leaves the selection as ADDED or DELETED', async () => {
        const from = list(await api.get(changing)).metadata.resourceVersion;
        const labelled = (app: string) => configMap('s', {}, { labels: { app } });
        const events = await eventsUntil(
          api,
          `${changing}?watch=1&resourceVersion=${from}&labelSelector=app%3Din`,
          (seen) => seen.length === 3,
          async () => {
            await create(api, changing, labelled('out'));
            for (const app of ['in', 'out', 'in']) await api.put(`${changing}/s`, labelled(app));
            await api.delete(`${changing}/s`);
          },
        );
        assert.deepEqual(typesOf(events), ['ADDED s', 'DELETED s', 'ADDED s']);
        const [entered, left] = events.map(({ object }) => object as unknown as ApiItem);
        assert.deepEqual(left?.metadata.labels, { app: 'in' }, 'the state in which it was selected last');
        assert.ok(Number(left?.metadata.resourceVersion) > Number(entered?.metadata.resourceVersion));
      });

      it('a watch ends after timeoutSeconds, with a bookmark only when bookmarks are allowed', async () => {
        const [marked, plain] = await Promise.all([
          wholeWatch(api, `${cms}?watch=1&resourceVersion=0&timeoutSeconds=1${bookmarks}`),
          wholeWatch(api, `${cms}?watch=1&resourceVersion=0&timeoutSeconds=1`),
        ]);
        assert.deepEqual(typesOf(plain), ['ADDED a', 'ADDED b', 'ADDED c']);
        assert.deepEqual(typesOf(marked), ['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK']);
        const mark = marked.at(-1)?.object;
        assert.equal(mark?.['kind'], 'ConfigMap');
        assert.ok(Number(mark?.metadata.resourceVersion) >= Number(last));
      });

      it('a watch with sendInitialEvents delivers the state, the final bookmark, then changes', async () => {
        const path = `${cms}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan${bookmarks}`;
        for (const version of ['', '&resourceVersion=0', `&resourceVersion=${last}`]) {
          const events = await eventsUntil(api, path + version, (seen) => seen.length === 4);
          assert.deepEqual(typesOf(events), ['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK']);
          const annotations = events[3]?.object.metadata.annotations ?? {};
          assert.deepEqual(Object.values(annotations), ['true']);
          assert.match(Object.keys(annotations)[0] ?? '', /\/initial-events-end$/);
        }
      });

      it('contradictory watch options are answered with 422 before any event', async () => {
        for (const query of [
          'resourceVersionMatch=NotOlderThan&resourceVersion=1',
          'sendInitialEvents=true&allowWatchBookmarks=true',
          'sendInitialEvents=true&resourceVersionMatch=Exact&allowWatchBookmarks=true',
        ])
          refused(await api.get(`${cms}?watch=1&${query}`), 422, 'Invalid');
        refused(await api.get(`${cms}?watch=1&timeoutSeconds=soon`), 400, 'BadRequest');
        refused(await api.get(`${cms}?sendInitialEvents=true`), 422, 'Invalid');
      });

      it('a watch at a future resourceVersion waits for it', async () => {
        const next = Number(list(await api.get(cms)).metadata.resourceVersion) + 1;
        const created: string[] = [];
        const events = await eventsUntil(
          api,
          `${cms}?watch=1&resourceVersion=${next}`,
          (seen) => typesOf(seen).includes('ADDED n2'),
          async () => {
            for (const name of ['n1', 'n2']) {
              const { metadata } = await create(api, cms, configMap(name));
              // Another write, such as that of a lease, may have the version asked for; without one, n1 has it.
              if (Number(metadata.resourceVersion) > next) created.push(`ADDED ${name}`);
            }
          },
        );
        assert.deepEqual(typesOf(events), created);
        for (const name of ['n1', 'n2']) await api.delete(`${cms}/${name}`);
      });
    });

    it('get and list with a resourceVersion ahead of the server are answered with 504 and Retry-After', async () => {
      for (const answer of await ahead) {
        const { message, details } = refused(answer, 504, 'Timeout', ['ResourceVersionTooLarge']);
        assert.match(message, /Too large resource version/);
        assert.equal(answer.headers['retry-after'], String(details?.retryAfterSeconds));
      }
    });

    describe('label and field selectors', () => {
      before(async () => {
        for (const [name, nodeName, tier] of [
          ['p1', 'n1', '1'],
          ['p2', 'n2', '2'],
          ['p3', '', '3'],
        ] as const)
          await create(
            api,
            pods,
            podObject(name, { labels: { app: 'web', tier } }, nodeName === '' ? {} : { nodeName }),
          );
      });

      for (const [query, expected] of [
        ['labelSelector=app', 'p1 p2 p3'],
        ['labelSelector=!app', ''],
        ['labelSelector=app=web,tier!=2', 'p1 p3'],
        ['labelSelector=app==web,tier in (1, 2)', 'p1 p2'],
        ['labelSelector=tier notin (1,2)', 'p3'],
        ['labelSelector=other notin (1)', 'p1 p2 p3'],
        ['labelSelector=tier>1,tier<3', 'p2'],
        ['fieldSelector=spec.nodeName=n1', 'p1'],
        ['fieldSelector=spec.nodeName!=n1', 'p2 p3'],
        ['fieldSelector=spec.nodeName=', 'p3'],
        ['fieldSelector=spec.host=n2', 'p2'],
        ['fieldSelector=metadata.name=p2,metadata.namespace=default', 'p2'],
        ['fieldSelector=status.phase=Pending,spec.restartPolicy=Always', 'p1 p2 p3'],
        ['fieldSelector=spec.schedulerName=default-scheduler', 'p1 p2 p3'],
        ['fieldSelector=status.podIP=', 'p1 p2 p3'],
        ['fieldSelector=spec.nodeName=n1&labelSelector=tier=2', ''],
      ] as const) {
        it(`a list with ${query} selects ${expected === '' ? 'no object' : expected}`, async () => {
          const encoded = query
            .split('&')
            .map((part) => part.replace(/=(.*)$/, (_, value) => `=${encodeURIComponent(value)}`))
            .join('&');
          assert.equal(names(expectCode(200, await api.get(`${pods}?${encoded}`))).join(' '), expected);
          assert.equal(names(await api.get(`/api/v1/pods?${encoded}`)).join(' '), expected, 'everywhere');
        });
      }

      for (const query of [
        'labelSelector=a%20b',
        'labelSelector=a%3Db%3Dc',
        'labelSelector=tier%3Eone',
        'labelSelector=-x',
        'fieldSelector=spec.hostname%3Dx',
        'fieldSelector=metadata.name',
        'fieldSelector=metadata.labels.app%3Dweb',
      ]) {
        it(`a list with ${decodeURIComponent(query)} is answered with 400`, async () => {
          refused(await api.get(`${pods}?${query}`), 400, 'BadRequest');
          refused(await api.get(`${pods}?watch=1&${query}`), 400, 'BadRequest');
        });
      }
    });
  });
}

describe('field selectors of each kind (facts: field-labels)', { timeout: 180_000 }, () => {
  const ns = '/api/v1/namespaces/default';
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer();
    const { client } = server;
    await create(client, `${ns}/events`, {
      metadata: { name: 'e' },
      type: 'Normal',
      reason: 'Made',
      source: { component: 'tester' },
      reportingComponent: 'r',
      involvedObject: {
        kind: 'Pod',
        namespace: 'default',
        name: 'p',
        uid: 'u',
        apiVersion: 'v1',
        resourceVersion: '7',
        fieldPath: 'spec',
      },
    });
    await create(client, '/api/v1/nodes', { metadata: { name: 'n' }, spec: { unschedulable: true } });
    await create(client, `${ns}/secrets`, { metadata: { name: 's' }, type: 'example/x' });
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    await create(client, `${ns}/replicationcontrollers`, {
      metadata: { name: 'r' },
      spec: { selector: { a: 'b' }, template },
    });
    await create(client, cms, configMap('c'));
  });
  after(() => server[Symbol.asyncDispose]());

  const own = ['metadata.namespace=default'];
  for (const [resource, name, fields] of [
    [
      'events',
      'e',
      [
        ...own,
        'type=Normal',
        'reason=Made',
        'source=tester',
        'reportingComponent=r',
        'involvedObject.kind=Pod',
        'involvedObject.namespace=default',
        'involvedObject.name=p',
        'involvedObject.uid=u',
        'involvedObject.apiVersion=v1',
        'involvedObject.resourceVersion=7',
        'involvedObject.fieldPath=spec',
      ],
    ],
    ['nodes', 'n', ['spec.unschedulable=true']],
    ['namespaces', 'default', ['status.phase=Active']],
    ['secrets', 's', [...own, 'type=example/x']],
    ['replicationcontrollers', 'r', [...own, 'status.replicas=0']],
    ['configmaps', 'c', own],
  ] as const) {
    it(`${resource} are selected by metadata.name, ${fields.join(', ')}, and nothing else`, async () => {
      const path = `/api/v1/${resource}?fieldSelector=metadata.name%3D${name}`;
      for (const field of ['metadata.name=', ...fields]) {
        const selector = field === 'metadata.name=' ? field + name : field;
        const selected = await server.client.get(`${path},${encodeURIComponent(selector)}`);
        assert.deepEqual(names(expectCode(200, selected)), [name], selector);
        const others = await server.client.get(`${path},${encodeURIComponent(selector.replace('=', '!='))}`);
        assert.deepEqual(names(expectCode(200, others)), [], selector);
      }
      refused(await server.client.get(`${path},metadata.uid%3Dx`), 400, 'BadRequest');
    });
  }
});

describe('history that a replica did not see itself', { timeout: 180_000 }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let writer: LaunchedServer;
  const certDir = mkdtempSync(join(tmpdir(), 'orch-certs-'));
  const more: LaunchedServer[] = [];
  let first = '';
  let last = '';
  let token = '';

  const launch = async (endpoints: readonly string[] = etcd.endpoints): Promise<LaunchedServer> => {
    const server = await launchServer({ etcd: endpoints, certDir });
    more.push(server);
    return server;
  };
  const compact = async (through: string): Promise<void> => {
    const answer = await fetch(`${etcd.endpoints[0]}/v3/kv/compaction`, {
      method: 'POST',
      body: JSON.stringify({ revision: through }),
      signal: AbortSignal.timeout(10_000),
    });
    assert.equal(answer.status, 200, await answer.text());
  };

  before(async () => {
    etcd = await startEtcd();
    writer = await launch();
    first = (await create(writer.client, cms, configMap('a'))).metadata.resourceVersion;
    await create(writer.client, cms, configMap('b'));
    token = list(await writer.client.get(`${cms}?limit=1`)).metadata.continue ?? '';
    await writer.client.delete(`${cms}/a`);
    last = (await create(writer.client, cms, configMap('c'))).metadata.resourceVersion;
  });
  after(async () => {
    await Promise.all(more.map((server) => server[Symbol.asyncDispose]()));
    await etcd[Symbol.asyncDispose]();
    rmSync(certDir, { recursive: true, force: true });
  });

  it('watches, lists at a version and continued lists over history older than the replica are served from the store', async () => {
    const { client } = await launch();
    const events = await eventsUntil(
      client,
      `${cms}?watch=1&resourceVersion=${first}`,
      (seen) => seen.length === 3,
    );
    assert.deepEqual(typesOf(events), ['ADDED b', 'DELETED a', 'ADDED c']);
    const exact = `${cms}?resourceVersionMatch=Exact&resourceVersion=`;
    assert.deepEqual(names(expectCode(200, await client.get(exact + first))), ['a']);
    assert.deepEqual(names(expectCode(200, await client.get(`${cms}?limit=1&continue=${token}`))), ['b']);
  });

  it('compacted history is answered with 410 Gone, with a token for the rest of a continued list', async () => {
    await compact(last);
    const server = await launch();
    const { client } = server;
    refused(await client.get(`${cms}?resourceVersionMatch=Exact&resourceVersion=${first}`), 410, 'Expired');
    refused(await client.get(`${cms}?limit=5&resourceVersion=${first}`), 410, 'Expired');
    const [error, ...after] = await wholeWatch(client, `${cms}?watch=1&resourceVersion=${first}`);
    assert.deepEqual([error?.type, after], ['ERROR', []]);
    assert.equal((error?.object as unknown as StatusBody | undefined)?.code, 410);
    await using connected = adminClient(server, 'orch');
    const watching = typed(connected.client, 'default').core.v1.configmaps.watch({ resourceVersion: first });
    await assert.rejects(
      watching[Symbol.asyncIterator]().next(),
      (reason) => reason instanceof ApiError && reason.status.reason === 'Expired',
      'the client library reports it as what makes an informer list again',
    );
    const expired = await client.get(`${cms}?limit=1&continue=${token}`);
    refused(expired, 410, 'Expired');
    const rest = await client.get(`${cms}?limit=1&continue=${status(expired).metadata.continue}`);
    assert.deepEqual(names(expectCode(200, rest)), ['b'], 'what comes after a, as it is now');
    // The replica that observed all changes still has them in its window.
    const seen = await writer.client.get(`${cms}?resourceVersionMatch=Exact&resourceVersion=${first}`);
    assert.deepEqual(names(expectCode(200, seen)), ['a']);
  });

  it('a replica that missed compacted history ends its watches with an ERROR of 410, never with a gap', async () => {
    await using proxy = await TcpProxy.listen({ port: Number(new URL(etcd.endpoints[0] ?? '').port) });
    const behind = await launch([`http://127.0.0.1:${proxy.port}`]);
    const from = list(await behind.client.get(cms)).metadata.resourceVersion;
    const stop = new AbortController();
    const events: WatchEvent[] = [];
    const watching = (async () => {
      const path = `${cms}?watch=1&allowWatchBookmarks=true&resourceVersion=${from}`;
      for await (const event of behind.client.watch(path, stop.signal)) {
        if (event.type === 'BOOKMARK') continue;
        events.push(event);
        if (event.type === 'ERROR') return;
      }
    })();
    proxy.refuse(true);
    proxy.cutAll();
    await create(writer.client, cms, configMap('x'));
    await writer.client.put(`${cms}/x`, configMap('x', { k: '1' }));
    await writer.client.delete(`${cms}/x`);
    await create(writer.client, cms, configMap('y'));
    await compact(list(await writer.client.get(cms)).metadata.resourceVersion);
    proxy.refuse(false);
    await watching;
    stop.abort();
    // It is no longer known that x existed: the client has to list again.
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ERROR'],
    );
    const error = events[0]?.object as unknown as { code: number; reason: string; kind: string };
    assert.deepEqual([error.kind, error.code, error.reason], ['Status', 410, 'Expired']);
    await poll('the replica to have rebuilt its cache', 10_000, async () =>
      names(await behind.client.get(cms)).join() === 'b,c,y' ? true : undefined,
    );
  });
});
