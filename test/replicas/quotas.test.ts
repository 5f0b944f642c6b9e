import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { poll } from '@orch/machinery/testing';
import { startEtcd } from '@orch/storage/testing';
import {
  type ApiResponse,
  type LaunchedServer,
  type LaunchOptions,
  launchServer,
  launchServerProcess,
  type ServerProcess,
  temporaryFolder,
} from '@orch/testkit';
import { expectCode, podObject } from '../api/fixture.ts';
import { definition, establish, GROUP, widget } from '../custom-resources/widgets.ts';

const REPLICAS = 3;
const WRITERS = 64;
const merge = { contentType: 'application/merge-patch+json' };

type Amounts = Readonly<Record<string, string>>;
interface List {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/** The counted kinds, with the quota on their number. */
const kinds = {
  pods: { bound: 'pods', hard: 23, path: '/api/v1', object: (name: string) => podObject(name) },
  configmaps: {
    bound: 'count/configmaps',
    hard: 41,
    path: '/api/v1',
    object: (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }),
  },
  widgets: { bound: `count/widgets.${GROUP}`, hard: 30, path: `/apis/${GROUP}/v1`, object: widget },
} as const;
type Kind = keyof typeof kinds;

/** Several servers on one etcd. */
class Servers {
  readonly all: LaunchedServer[] = [];
  #last: ServerProcess | undefined;
  readonly #certDir = temporaryFolder();
  #etcd: Awaited<ReturnType<typeof startEtcd>> | undefined;

  async start(program: 'orch' | 'orch-apiserver'): Promise<void> {
    const etcd = await startEtcd();
    this.#etcd = etcd;
    const options: LaunchOptions = {
      program,
      requiresAccounts: false,
      etcd: etcd.endpoints,
      certDir: this.#certDir.path,
    };
    // The first one makes the certificates that the others share.
    this.all.push(await launchServer(options));
    const others = await Promise.all([launchServer(options), launchServerProcess(options)]);
    [, this.#last] = others;
    this.all.push(...others);
    await establish(this.one(0).client, definition());
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((one) => one[Symbol.asyncDispose]()));
    await this.#etcd?.[Symbol.asyncDispose]();
    this.#certDir[Symbol.dispose]();
  }

  async killLast(): Promise<void> {
    await this.#last?.process.stop('SIGKILL');
  }

  one(index: number): LaunchedServer {
    const found = this.all[index % REPLICAS];
    assert.ok(found);
    return found;
  }

  post(index: number, path: string, object: object): Promise<ApiResponse> {
    return this.one(index).client.post(path, object);
  }
}

/** A namespace with a quota. */
class Place {
  readonly #servers: Servers;
  readonly #namespace: string;

  constructor(servers: Servers, namespace: string) {
    this.#servers = servers;
    this.#namespace = namespace;
  }

  path(resource: string, name = ''): string {
    const base = resource === 'widgets' ? kinds.widgets.path : '/api/v1';
    return `${base}/namespaces/${this.#namespace}/${resource}${name === '' ? '' : `/${name}`}`;
  }

  /** Creates the namespace, served by every server, and a quota in it. */
  async create(hard: Amounts): Promise<void> {
    const { client } = this.#servers.one(0);
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.#namespace } };
    expectCode(201, await client.post('/api/v1/namespaces', body));
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } };
    expectCode(201, await client.post(this.path('resourcequotas'), quota));
  }

  /** Writes the status as the controller of quotas does, and waits until all servers have it. */
  async calculate(hard: Amounts, used: Amounts): Promise<void> {
    const path = this.path('resourcequotas', 'q');
    const body = { status: { hard, used } };
    expectCode(200, await this.#servers.one(0).client.send('PATCH', `${path}/status`, { ...merge, body }));
    await this.isKnown();
  }

  /** Waits until all servers have the present state of the quota. */
  async isKnown(): Promise<void> {
    const path = this.path('resourcequotas', 'q');
    for (const { client } of this.#servers.all) expectCode(200, await client.get(path));
  }

  async used(): Promise<Amounts> {
    const answer = expectCode(200, await this.#servers.one(0).client.get(this.path('resourcequotas', 'q')));
    return (answer.json as { readonly status: { readonly used?: Amounts } }).status.used ?? {};
  }

  async list(resource: string, server = 0): Promise<List> {
    return expectCode(200, await this.#servers.one(server).client.get(this.path(resource))).json as List;
  }
}

const zeros = (hard: Amounts): Amounts => Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));

describe('quotas of three servers on one etcd', { timeout: 240_000 }, () => {
  const servers = new Servers();
  before(() => servers.start('orch-apiserver'));
  after(() => servers.stop());

  it('64 writers through three servers create exactly as many objects as the quota allows, and the others are refused', async () => {
    const place = new Place(servers, 'exact');
    const hard = Object.fromEntries(
      Object.values(kinds).map(({ bound, hard: most }) => [bound, String(most)]),
    );
    await place.create(hard);
    await place.calculate(hard, zeros(hard));
    const answers: Record<Kind, ApiResponse[]> = { pods: [], configmaps: [], widgets: [] };
    const writer = async (id: number): Promise<void> => {
      for (const kind of Object.keys(kinds) as Kind[])
        answers[kind].push(await servers.post(id, place.path(kind), kinds[kind].object(`o-${id}`)));
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, id) => writer(id)));
    for (const kind of Object.keys(kinds) as Kind[]) {
      const { bound, hard: most } = kinds[kind];
      const refused = answers[kind].filter(({ status }) => status !== 201);
      assert.equal(answers[kind].length - refused.length, most, kind);
      for (const { status, text } of refused) {
        assert.equal(status, 403, text);
        const numbers = `requested: ${bound}=1, used: ${bound}=${most}, limited: ${bound}=${most}`;
        assert.ok(text.includes(`exceeded quota: q, ${numbers}`), text);
      }
      assert.equal((await place.list(kind)).items.length, most);
    }
    assert.deepEqual(await place.used(), hard);
  });

  it('concurrent updates that grow through three servers take exactly what the quota allows', async () => {
    const place = new Place(servers, 'growing');
    const hard = { 'services.nodeports': '11' };
    await place.create(hard);
    const service = (index: number): object => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: `s-${index}` },
      spec: { ports: [{ port: 80 }] },
    });
    const indices = Array.from({ length: 30 }, (_, index) => index);
    await Promise.all(
      indices.map(async (index) => {
        expectCode(201, await servers.post(index, place.path('services'), service(index)));
      }),
    );
    await place.calculate(hard, zeros(hard));
    const body = { spec: { type: 'NodePort' } };
    const answers = await Promise.all(
      indices.map((index) =>
        servers.one(index).client.send('PATCH', place.path('services', `s-${index}`), { ...merge, body }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(11).fill(200), ...Array(19).fill(403)]);
    assert.deepEqual(await place.used(), hard);
  });

  it('a dry run at the limit is refused, and one below takes nothing', async () => {
    const place = new Place(servers, 'dry');
    const hard = { configmaps: '1' };
    await place.create(hard);
    await place.calculate(hard, zeros(hard));
    const path = place.path('configmaps');
    expectCode(201, await servers.post(0, `${path}?dryRun=All`, kinds.configmaps.object('a')));
    expectCode(201, await servers.post(1, path, kinds.configmaps.object('a')));
    // A dry run reads no quota from the store: it decides on the state that its server knows.
    await place.isKnown();
    expectCode(403, await servers.post(2, `${path}?dryRun=All`, kinds.configmaps.object('b')));
    assert.deepEqual(await place.used(), hard);
  });

  it('creations that end in 409 through three servers leave the usage as it was, one after the other and among others', async () => {
    const place = new Place(servers, 'taken');
    const hard = { configmaps: '500' };
    await place.create(hard);
    const path = place.path('configmaps');
    const object = kinds.configmaps.object('taken');
    expectCode(201, await servers.post(0, path, object));
    await place.calculate(hard, { configmaps: '1' });
    for (let i = 0; i < 30; i += 1) expectCode(409, await servers.post(i, path, object));
    assert.deepEqual(await place.used(), { configmaps: '1' });
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, id) => {
        expectCode(409, await servers.post(id, path, object));
        expectCode(201, await servers.post(id, path, kinds.configmaps.object(`o-${id}`)));
      }),
    );
    assert.deepEqual(await place.used(), { configmaps: String(1 + WRITERS) });
  });

  it('a server that is killed between writes causes no object beyond the quota', async () => {
    const place = new Place(servers, 'killed');
    const most = 200;
    const hard = { configmaps: String(most) };
    await place.create(hard);
    await place.calculate(hard, zeros(hard));
    let acknowledged = 0;
    const writer = async (id: number): Promise<void> => {
      for (let i = 0; i < 6; i += 1) {
        const name = `o-${id}-${i}`;
        try {
          // Requests to the killed server break; its writers continue at another one.
          const answer = await servers.post(id + i, place.path('configmaps'), kinds.configmaps.object(name));
          if (answer.status === 201) acknowledged += 1;
          else assert.match(answer.text, /exceeded quota: q, /);
        } catch (error) {
          assert.ok(!(error instanceof assert.AssertionError), String(error));
        }
        if (id === 0 && i === 1) void servers.killLast();
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, id) => writer(id)));
    const { length } = (await place.list('configmaps')).items;
    assert.ok(acknowledged <= length && length <= most, `${acknowledged} acknowledged, ${length} exist`);
    assert.equal((await place.used())['configmaps'], String(most));
  });
});

describe('quotas of three servers with the controller of quotas', { timeout: 240_000 }, () => {
  const servers = new Servers();
  before(() => servers.start('orch'));
  after(() => servers.stop());

  it('writers that create and delete through three servers never have more objects than the quota at any revision', async () => {
    const place = new Place(servers, 'churn');
    const most = 12;
    await place.create({ [kinds.widgets.bound]: String(most) });
    await poll('the status of the quota', 30_000, async () =>
      (await place.used())[kinds.widgets.bound] === '0' ? true : undefined,
    );
    for (const index of [0, 1, 2]) await place.list('resourcequotas', index);
    const path = place.path('widgets');
    const { resourceVersion } = (await place.list('widgets')).metadata;
    let created = 0;
    const writer = async (id: number): Promise<void> => {
      for (let i = 0; i < 15; i += 1) {
        const name = `w-${id}-${i}`;
        const { status, text } = await servers.post(id + i, path, widget(name));
        if (status === 403) assert.match(text, /exceeded quota/);
        else assert.equal(status, 201, text);
        if (status !== 201) continue;
        created += 1;
        expectCode(200, await servers.one(id).client.delete(`${path}/${name}`));
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, id) => writer(id)));
    let [now, highest, removed] = [0, 0, 0];
    const events = servers
      .one(1)
      .client.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`, AbortSignal.timeout(60_000));
    for await (const { type } of events) {
      if (type === 'ADDED') now += 1;
      if (type === 'DELETED') [now, removed] = [now - 1, removed + 1];
      highest = Math.max(highest, now);
      if (removed === created) break;
    }
    assert.ok(created > most, `${created} created`);
    assert.ok(highest <= most, `${highest} objects at one revision, ${most} allowed`);
    await poll('the release of the quota', 30_000, async () =>
      (await place.used())[kinds.widgets.bound] === '0' ? true : undefined,
    );
  });
});
