import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  builtinResources,
  type Change,
  type Client,
  createClient,
  createInformer,
  isConflict,
  networkTransport,
  TransportError,
  waitFor,
} from '@orch/client';
import { type Env, namesFor } from '@orch/machinery';
import { abortable, sleep } from '@orch/machinery/concurrency';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, type LaunchOptions, launchServer } from '@orch/testkit';
import { decide } from '../../examples/namespace-settings/decide.ts';
import { installProfiles, type Profile, profiles } from '../../examples/namespace-settings/profile.ts';
import { runOperator } from '../../examples/namespace-settings/run-operator.ts';
import { adminSettings } from './connection.ts';
import { startTcpFront, type TcpFront } from './tcp-front.ts';

const names = namesFor('orch');
const { configmaps, namespaces, events } = builtinResources(names).core.v1;
const PROFILES = 'settings-profiles';
const SPACES = ['shop', 'blog', 'wiki'];

describe('decisions of the example operator', () => {
  const data = { a: '1' };
  const managed = { data, isManaged: true };
  for (const [title, state, action] of [
    [
      'not created in a namespace without the annotation',
      { requested: undefined, profile: undefined, settings: undefined },
      'nothing',
    ],
    [
      'created in an annotated namespace without settings',
      { requested: 'p', profile: data, settings: undefined },
      'create',
    ],
    [
      'not written when they equal the profile',
      { requested: 'p', profile: data, settings: managed },
      'nothing',
    ],
    [
      'updated when the profile has additional keys',
      { requested: 'p', profile: { ...data, b: '2' }, settings: managed },
      'update',
    ],
    [
      'updated when the profile has other values',
      { requested: 'p', profile: { a: '2' }, settings: managed },
      'update',
    ],
    [
      'deleted when the annotation is removed',
      { requested: undefined, profile: undefined, settings: managed },
      'delete',
    ],
    ['kept while the profile is missing', { requested: 'p', profile: undefined, settings: managed }, 'warn'],
    [
      'not updated when they are not managed by the operator',
      { requested: 'p', profile: { a: '2' }, settings: { data, isManaged: false } },
      'warn',
    ],
    [
      'not deleted when they are not managed by the operator',
      { requested: undefined, profile: undefined, settings: { data, isManaged: false } },
      'nothing',
    ],
  ] as const) {
    it(`settings of the example operator are ${title}`, () => assert.equal(decide(state).type, action));
  }
});

/** A client over the front, with a separate environment. */
function connect(server: Pick<LaunchedServer, 'config'>, port: number) {
  const env: Env = systemEnv({ log: silentLogger });
  const transport = networkTransport({ ...adminSettings(server), server: `https://127.0.0.1:${port}` }, env);
  const client = createClient({ transport, names, env, userAgent: 'example-test/1' });
  return { env, transport, client };
}

/** Changes of profiles that a subscriber has received, in order. */
interface Witness {
  readonly received: string[];
  /** Resolves when this change has been received. */
  until(change: string): Promise<void>;
  lists(): number;
}

interface Scene extends AsyncDisposable {
  readonly front: TcpFront;
  readonly client: Client;
  readonly env: Env;
  readonly witness: Witness;
  readonly signal: AbortSignal;
}

const note = (change: Change<Profile>): string => {
  const type = change.type === 'deleted' && change.isStale ? 'stale' : change.type;
  return `${type} ${change.object.metadata.name}=${change.object.spec.data['value']}`;
};

/** A write of the status, which is no new generation. */
const isOfStatus = (change: Change<Profile>): boolean =>
  change.type === 'updated' &&
  change.object.metadata.generation === change.old.metadata.generation &&
  change.object.metadata.resourceVersion !== change.old.metadata.resourceVersion;

/** The operator and a witness, both behind a front, and a client that retries until it succeeds. */
async function openScene(server: LaunchedServer): Promise<Scene> {
  const stop = new AbortController();
  const front = await startTcpFront([server.port]);
  const operator = connect(server, front.port);
  const watching = connect(server, front.port);
  const writing = connect(server, front.port);
  for (const name of [PROFILES, ...SPACES]) {
    const annotations = name === PROFILES ? {} : { 'settings.example.com/profile': 'small' };
    await writing.client.resource(namespaces).create({ metadata: { name, annotations } });
  }
  await installProfiles(writing.client, writing.env, stop.signal);
  const received: string[] = [];
  const informer = createInformer(watching, profiles, { namespace: PROFILES });
  informer.subscribe((change) => {
    if (!isOfStatus(change)) received.push(note(change));
  });
  const runs = [
    runOperator({ ...operator, names, host: 'test', namespace: PROFILES }, stop.signal),
    informer.run(stop.signal),
  ];
  await informer.synced(AbortSignal.timeout(30_000));
  const until = async (expected: string): Promise<void> => {
    const isReceived = Promise.withResolvers<void>();
    const unsubscribe = informer.subscribe(() => {
      if (received.includes(expected)) isReceived.resolve();
    });
    await abortable(isReceived.promise, AbortSignal.timeout(60_000)).finally(unsubscribe);
  };
  const lists = (): number =>
    Number(/informer_lists_total\{[^}]*\} (\d+)/.exec(watching.env.metrics.text())?.[1]);
  return {
    front,
    client: writing.client,
    env: writing.env,
    witness: { received, until, lists },
    signal: stop.signal,
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the test is over'));
      await Promise.all(runs);
      for (const { transport } of [operator, watching, writing]) await transport.close();
      await front[Symbol.asyncDispose]();
    },
  };
}

/** Retries until the write has succeeded; the profile is read first, so that it is not written twice. */
async function setProfile(
  { client, env }: Pick<Scene, 'client' | 'env'>,
  name: string,
  value: string,
): Promise<void> {
  const inProfiles = client.resource(profiles, PROFILES);
  const signal = AbortSignal.timeout(60_000);
  const spec = { data: { value } };
  for (;;) {
    try {
      const { items } = await inProfiles.list({ fieldSelector: `metadata.name=${name}` }, signal);
      const [known] = items;
      if (known?.spec.data['value'] === value) return;
      if (known === undefined) await inProfiles.create({ metadata: { name }, spec }, {}, signal);
      else await inProfiles.update({ ...known, spec }, {}, signal);
    } catch (error) {
      signal.throwIfAborted();
      const status = (error as { status?: { code?: number } }).status?.code ?? 0;
      if (!(error instanceof TransportError) && !isConflict(error) && status < 500 && status !== 429)
        throw error;
      await sleep(env.clock, 50, signal);
    }
  }
}

/** All namespaces have the settings with this value. */
async function settled({ client, env, signal }: Scene, value: string): Promise<void> {
  for (const namespace of SPACES) {
    const is = (object: { data?: Record<string, string> } | undefined): boolean =>
      object?.data?.['value'] === value;
    const wanted = { client, env, resource: configmaps, namespace, name: 'settings', is, timeoutMs: 60_000 };
    await waitFor(wanted, signal);
  }
}

/** A folder for the data and certificates of servers that follow each other. */
function folder(): Disposable & { readonly dirs: Pick<LaunchOptions, 'dataDir' | 'certDir'> } {
  const work = mkdtempSync(join(tmpdir(), 'orch-example-'));
  return {
    dirs: { dataDir: join(work, 'data'), certDir: join(work, 'certs') },
    [Symbol.dispose]: () => rmSync(work, { recursive: true, force: true }),
  };
}

/** Waits until the status of the profile `small` has this number of namespaces. */
async function counted({ client, env, signal }: Scene, count: number): Promise<void> {
  const is = (profile: Profile | undefined): boolean => profile?.status?.namespaces === count;
  const small = { resource: profiles, namespace: PROFILES, name: 'small' };
  await waitFor({ client, env, ...small, is, timeoutMs: 60_000 }, signal);
}

describe('the example operator', { timeout: 180_000 }, () => {
  it('the example operator creates settings, reverts changes of other writers, counts its users and records events', async () => {
    await using server = await launchServer();
    await using scene = await openScene(server);
    const { client } = scene;
    await setProfile(scene, 'small', '1');
    await settled(scene, '1');
    await counted(scene, SPACES.length);
    const shop = client.resource(configmaps, 'shop');
    await shop.patch.merge('settings', { data: { value: 'mine', more: 'x' } });
    await settled(scene, '1');
    await client.resource(configmaps, 'blog').delete('settings');
    await settled(scene, '1');
    await client
      .resource(namespaces)
      .patch.merge('wiki', { metadata: { annotations: { 'settings.example.com/profile': null } } });
    const gone = { client, env: scene.env, resource: configmaps, namespace: 'wiki', name: 'settings' };
    await waitFor({ ...gone, is: (object) => object === undefined, timeoutMs: 30_000 }, scene.signal);
    await counted(scene, SPACES.length - 1);
    const reasons = new Set<string | undefined>();
    const watching = createInformer({ client, env: scene.env }, events, { namespace: 'default' });
    const isComplete = Promise.withResolvers<void>();
    watching.subscribe(({ object }) => {
      reasons.add(object.reason);
      if (
        reasons.has('SettingsCreated') &&
        reasons.has('SettingsUpdated') &&
        reasons.has('SettingsDeleted')
      ) {
        isComplete.resolve();
      }
    });
    const run = watching.run(scene.signal);
    await abortable(isComplete.promise, AbortSignal.timeout(30_000));
    assert.deepEqual((await shop.get('settings')).data, { value: '1' });
    await scene[Symbol.asyncDispose]();
    await run;
  });

  it('informers miss and repeat no change over a restart of the server, and the example operator continues', async () => {
    using work = folder();
    let server = await launchServer(work.dirs);
    try {
      await using scene = await openScene(server);
      for (let i = 0; i <= 10; i++) {
        if (i === 4) {
          await server[Symbol.asyncDispose]();
          scene.front.targets = [];
          server = await launchServer(work.dirs);
          scene.front.targets = [server.port];
        }
        await setProfile(scene, 'small', String(i));
      }
      await settled(scene, '10');
      await scene.witness.until('updated small=10');
      const expected = Array.from({ length: 11 }, (_, i) => `${i === 0 ? 'added' : 'updated'} small=${i}`);
      assert.deepEqual(scene.witness.received, expected);
      assert.equal(scene.witness.lists(), 1, 'the watch was resumed without another list');
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });

  it('after a compaction during a disconnection, informers report each changed object once and each deleted object as deleted', async () => {
    using work = folder();
    const args = ['--etcd-compaction-interval=1s'];
    let server = await launchServer({ ...work.dirs, args });
    try {
      await using scene = await openScene(server);
      await setProfile(scene, 'small', '1');
      await setProfile(scene, 'passing', '1');
      await settled(scene, '1');
      await waitFor(
        {
          ...scene,
          resource: profiles,
          namespace: PROFILES,
          name: 'passing',
          timeoutMs: 30_000,
          is: (o) => o !== undefined,
        },
        scene.signal,
      );
      scene.front.targets = [];
      scene.front.cut();
      // Meanwhile objects change, and the restarted server has no history from before the changes.
      const before = connect(server, server.port);
      const { resourceVersion } = (await before.client.resource(profiles, PROFILES).list()).metadata;
      for (const value of ['2', '3', '4']) await setProfile(before, 'small', value);
      await before.client.resource(profiles, PROFILES).delete('passing');
      await before.transport.close();
      await server[Symbol.asyncDispose]();
      server = await launchServer({ ...work.dirs, args });
      const after = connect(server, server.port);
      await compacted(after, resourceVersion);
      await after.transport.close();
      scene.front.targets = [server.port];
      await settled(scene, '4');
      const { received, until, lists } = scene.witness;
      await until('updated small=4');
      assert.deepEqual(received.slice(0, 2).sort(), ['added passing=1', 'added small=1']);
      assert.deepEqual(received.slice(2).sort(), ['stale passing=1', 'updated small=4']);
      assert.equal(lists(), 2);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });

  it('informers miss and repeat no change over a rolling restart of three replicas, and the example operator continues', async () => {
    using work = folder();
    await using etcd = await startEtcd();
    const launch = (): Promise<LaunchedServer> =>
      launchServer({
        etcd: etcd.endpoints,
        ...(work.dirs.certDir === undefined ? {} : { certDir: work.dirs.certDir }),
      });
    const first = await launch();
    const replicas = [first, ...(await Promise.all([launch(), launch()]))];
    try {
      await using scene = await openScene(first);
      scene.front.targets = replicas.map(({ port }) => port);
      let value = 0;
      for (let i = 0; i < replicas.length; i++) {
        for (let n = 0; n < 4; n++) await setProfile(scene, 'small', String(value++));
        const going = replicas[i] as LaunchedServer;
        scene.front.targets = scene.front.targets.filter((port) => port !== going.port);
        await going[Symbol.asyncDispose]();
        await setProfile(scene, 'small', String(value++));
        const coming = await launch();
        replicas[i] = coming;
        scene.front.targets = [...scene.front.targets, coming.port];
      }
      await setProfile(scene, 'small', String(value));
      await settled(scene, String(value));
      await scene.witness.until(`updated small=${value}`);
      const expected = Array.from(
        { length: value + 1 },
        (_, i) => `${i === 0 ? 'added' : 'updated'} small=${i}`,
      );
      assert.deepEqual(scene.witness.received, expected);
      assert.equal(scene.witness.lists(), 1);
    } finally {
      await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    }
  });
});

/** Waits until a revision can no longer be read. */
async function compacted(
  { client, env }: Pick<Scene, 'client' | 'env'>,
  resourceVersion: string,
): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  const options = { resourceVersion, resourceVersionMatch: 'Exact' } as const;
  for (;;) {
    try {
      await client.resource(profiles, PROFILES).list(options, signal);
      await sleep(env.clock, 100, signal);
    } catch (error) {
      if ((error as { status?: { code?: number } }).status?.code === 410) return;
      throw error;
    }
  }
}
