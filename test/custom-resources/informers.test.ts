import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  type Client,
  createInformer,
  type Informer,
  isConflict,
  isNotFound,
  type TypedResource,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { tempDir } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, launchServerProcess, type ServerProcess } from '@orch/testkit';
import { adminClient, type ConnectedClient } from '../client/connection.ts';
import { DEFINITIONS, definition, establish, GROUP, WIDGETS, widget } from './widgets.ts';

interface Widget extends ApiObject {
  spec?: { size?: number };
}

const resource: TypedResource<Widget> = {
  group: GROUP,
  version: 'v1',
  resource: 'widgets',
  kind: 'Widget',
  namespaced: true,
};

/** An informer that runs, and the changes that it has reported. */
class Watched implements AsyncDisposable {
  readonly informer: Informer<Widget>;
  readonly changes: string[] = [];
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #changed: (() => void) | undefined;

  constructor(client: Client, options: { readonly metadataOnly?: boolean } = {}) {
    const env = { ...systemEnv(), log: silentLogger };
    this.informer = createInformer<Widget>({ client, env }, resource, options);
    this.informer.subscribe(({ type, object }) => {
      this.changes.push(
        `${type} ${object.metadata.name}${object.spec === undefined ? '' : ` ${object.spec.size}`}`,
      );
      this.#changed?.();
    });
    this.#ended = this.informer.run(this.#stop.signal);
  }

  /** Waits until the last changes are these. */
  async until(...expected: readonly string[]): Promise<void> {
    const deadline = AbortSignal.timeout(20_000);
    while (this.changes.slice(-expected.length).join() !== expected.join()) {
      if (deadline.aborted) assert.deepEqual(this.changes.slice(-expected.length), expected);
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#changed = resolve;
        }),
        new Promise((resolve) => deadline.addEventListener('abort', resolve, { once: true })),
      ]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the test is over'));
    await this.#ended;
  }
}

describe('the client library over custom resources', { timeout: 90_000 }, () => {
  let work: Awaited<ReturnType<typeof tempDir>>;
  let killed: ServerProcess;
  let server: LaunchedServer;
  let connected: ConnectedClient;
  const folders = () => ({ certDir: join(work.path, 'certs'), dataDir: join(work.path, 'data') });
  before(async () => {
    work = await tempDir('orch-informers-');
    mkdirSync(join(work.path, 'certs'));
    killed = await launchServerProcess(folders());
    server = killed;
    connected = adminClient(server, 'orch');
    assert.equal((await establish(server.client)).status, 201);
  });
  after(async () => {
    await connected[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  it('typed clients create, read, change, list, watch and delete custom objects', async () => {
    const { client } = connected;
    const widgets = client.resource<Widget>(resource, 'default');
    const made = await widgets.create({ metadata: { name: 'typed' }, spec: {} });
    assert.deepEqual([made.kind, made.spec], ['Widget', { size: 1 }]);
    const changed = await widgets.update({ ...made, spec: { size: 2 } });
    await assert.rejects(widgets.update({ ...made, spec: { size: 3 } }), (error) => isConflict(error));
    assert.equal((await widgets.patch.merge('typed', { spec: { size: 4 } })).spec?.size, 4);
    const applied = {
      kind: 'Widget',
      apiVersion: `${GROUP}/v1`,
      metadata: { name: 'typed' },
      spec: { size: 5 },
    };
    assert.equal(
      (await widgets.patch.apply('typed', applied, { fieldManager: 'me', force: true })).spec?.size,
      5,
    );
    assert.deepEqual(
      (await widgets.list({ labelSelector: 'a!=b' })).items.map(({ spec }) => spec?.size),
      [5],
    );
    const seen: unknown[] = [];
    const options = { resourceVersion: changed.metadata.resourceVersion, timeoutSeconds: 1 };
    for await (const { type, object } of widgets.watch(options))
      if (type !== 'BOOKMARK') seen.push(object.spec?.size);
    assert.deepEqual(seen, [4, 5]);
    const { resource: found } = (await client.discovery.forKind(`${GROUP}/v1`, 'Widget')) ?? {};
    assert.equal(found, 'widgets');
    await widgets.delete('typed');
    await assert.rejects(widgets.get('typed'), (error) => isNotFound(error));
  });

  it('an informer follows custom objects, whole or by their metadata', async () => {
    await using whole = new Watched(connected.client);
    await using bare = new Watched(connected.client, { metadataOnly: true });
    await Promise.all([whole, bare].map(({ informer }) => informer.synced(AbortSignal.timeout(10_000))));
    await server.client.post(WIDGETS, widget('a'));
    await server.client.send('PATCH', `${WIDGETS}/a`, {
      body: { spec: { size: 7 } },
      contentType: 'application/merge-patch+json',
    });
    await server.client.delete(`${WIDGETS}/a`);
    await whole.until('added a 1', 'updated a 7', 'deleted a 7');
    await bare.until('added a', 'updated a', 'deleted a');
  });

  it('an informer continues when the schema of its resource changes', async () => {
    await using watched = new Watched(connected.client);
    await server.client.post(WIDGETS, widget('schema'));
    await watched.until('added schema 1');
    const { spec } = definition() as unknown as {
      spec: {
        versions: [
          { schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, object> } } } } },
        ];
      };
    };
    spec.versions[0].schema.openAPIV3Schema.properties.spec.properties['color'] = {
      type: 'string',
      default: 'red',
    };
    const options = { body: { spec }, contentType: 'application/merge-patch+json' };
    assert.equal((await server.client.send('PATCH', `${DEFINITIONS}/widgets.${GROUP}`, options)).status, 200);
    for (const size of [2, 3, 4])
      await server.client.send('PATCH', `${WIDGETS}/schema`, {
        body: { spec: { size } },
        contentType: 'application/merge-patch+json',
      });
    await watched.until('updated schema 2', 'updated schema 3', 'updated schema 4');
    await server.client.delete(`${WIDGETS}/schema`);
    await watched.until('deleted schema 4');
  });

  it('an informer continues when the definition of its resource is deleted and created again', async () => {
    await using watched = new Watched(connected.client);
    await server.client.post(WIDGETS, widget('old'));
    await watched.until('added old 1');
    const path = `${DEFINITIONS}/widgets.${GROUP}`;
    assert.equal((await server.client.delete(path)).status, 200);
    await watched.until('deleted old 1');
    const deadline = AbortSignal.timeout(10_000);
    while ((await server.client.get(path)).status !== 404) deadline.throwIfAborted();
    assert.equal((await establish(server.client)).status, 201);
    assert.equal((await server.client.post(WIDGETS, widget('new'))).status, 201);
    await watched.until('added new 1');
    assert.deepEqual(
      [...watched.informer.store.values()].map(({ metadata }) => metadata.name),
      ['new'],
    );
    await server.client.delete(`${WIDGETS}/new`);
    await watched.until('deleted new 1');
  });

  it('an informer continues after a restart of the server, without repeating or missing changes', async () => {
    await using watched = new Watched(connected.client);
    for (const name of ['a', 'b']) await server.client.post(WIDGETS, widget(name));
    await watched.until('added a 1', 'added b 1');
    await killed.process.stop('SIGKILL');
    server = await launchServer({ ...folders(), port: killed.port });
    await killed[Symbol.asyncDispose]();
    await server.client.delete(`${WIDGETS}/a`);
    assert.equal((await server.client.post(WIDGETS, widget('c'))).status, 201);
    await watched.until('added a 1', 'added b 1', 'deleted a 1', 'added c 1');
  });
});
