import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  builtinResources,
  type Client,
  type kinds,
  type Resource,
  type ServerWarning,
  type TypedClient,
  typed,
  type WatchEvent,
} from '@orch/client';
import { ApiError, type Naming, namesFor, type Status } from '@orch/machinery';
import { type LaunchedServer, launchServer, launchServerProcess } from '@orch/testkit';
import { adminClient, type ConnectedClient } from './connection.ts';

/** The deadline of everything that a test waits for. */
const soon = (): AbortSignal => AbortSignal.timeout(30_000);

async function failure(promise: Promise<unknown>): Promise<Status> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
  return assert.fail('it did not fail');
}

const deployment = (name: string): kinds.apps.Deployment => ({
  metadata: { name, labels: { app: name } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'example/app:1' }] },
    },
  },
});

for (const naming of ['orch', 'kubernetes'] as const satisfies readonly Naming[]) {
  describe(`client library against a server with ${naming} names`, () => {
    let server: LaunchedServer;
    let connected: ConnectedClient;
    let client: Client;
    let api: TypedClient;
    const warnings: ServerWarning[] = [];

    before(async () => {
      server = await launchServer({
        naming,
        args: ['--emulated-version=1.27', '--runtime-config=api/all=true'],
      });
      connected = adminClient(server, naming, { onWarning: (warning) => void warnings.push(warning) });
      client = connected.client;
      api = typed(client, 'default');
    });
    after(async () => {
      await connected[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    it('every verb of the client works on a ConfigMap from creation to deletion', async () => {
      const { configmaps } = api.core.v1;
      const made = await configmaps.create({ metadata: { name: 'subject' }, data: { a: '1' } }, {}, soon());
      assert.deepEqual([made.kind, made.apiVersion, made.metadata.namespace], ['ConfigMap', 'v1', 'default']);
      const changed = await configmaps.update({ ...made, data: { a: '2' } });
      assert.notEqual(changed.metadata.resourceVersion, made.metadata.resourceVersion);
      assert.equal((await failure(configmaps.update({ ...made, data: { a: '3' } }))).reason, 'Conflict');
      assert.deepEqual((await configmaps.patch.merge('subject', { data: { b: '1' } })).data, {
        a: '2',
        b: '1',
      });
      const operations = [{ op: 'remove', path: '/data/a' }] as const;
      assert.deepEqual((await configmaps.patch.json('subject', operations)).data, { b: '1' });
      assert.deepEqual((await configmaps.patch.strategic('subject', { data: { c: '1' } })).data, {
        b: '1',
        c: '1',
      });
      const applied = await configmaps.patch.apply(
        'subject',
        { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'subject' }, data: { d: '1' } },
        { fieldManager: 'tester' },
      );
      assert.deepEqual(applied.data, { b: '1', c: '1', d: '1' });
      const dry = await configmaps.patch.merge('subject', { data: { d: '2' } }, { dryRun: true });
      assert.deepEqual([dry.data?.['d'], (await configmaps.get('subject')).data?.['d']], ['2', '1']);
      const removed = await configmaps.delete('subject', { preconditions: { uid: made.metadata.uid ?? '' } });
      assert.equal(removed.kind, 'Status');
      assert.equal((await failure(configmaps.get('subject'))).code, 404);
    });

    it('failures carry the status that the server returned', async () => {
      const { configmaps } = api.core.v1;
      const bad = await failure(configmaps.create({ metadata: { name: 'Not A Name' } }));
      assert.deepEqual(
        [bad.code, bad.reason, bad.details?.causes?.[0]?.field],
        [422, 'Invalid', 'metadata.name'],
      );
      await configmaps.create({ metadata: { name: 'twice' } });
      assert.equal(
        (await failure(configmaps.create({ metadata: { name: 'twice' } }))).reason,
        'AlreadyExists',
      );
      const wrong = { metadata: { name: 'strict' }, dataa: {} } as unknown as kinds.core.ConfigMap;
      const strict = await failure(configmaps.create(wrong, { fieldValidation: 'Strict' }));
      assert.match(strict.message ?? '', /dataa/);
      assert.equal((await failure(client.raw({ method: 'GET', target: '/nothing', headers: {} }))).code, 404);
    });

    it('names that need escaping in URLs reach the server unchanged', async () => {
      const { clusterroles } = typed(client).rbac.v1;
      const name = 'system:te st'.replace(' ', '');
      await clusterroles.create({ metadata: { name }, rules: [] });
      assert.equal((await clusterroles.get(name)).metadata.name, name);
      await clusterroles.delete(name);
    });

    it('lists are complete page by page and in one response, with and without compression', async () => {
      const { configmaps } = api.core.v1;
      const text = 'x'.repeat(10_000);
      const all = Array.from({ length: 60 }, (_, i) => `many-${String(i).padStart(2, '0')}`);
      await Promise.all(
        all.map((name) => configmaps.create({ metadata: { name, labels: { of: 'many' } }, data: { text } })),
      );
      const names: unknown[] = [];
      const versions = new Set<string>();
      for await (const page of configmaps.pages({ limit: 7, labelSelector: 'of=many' }, soon())) {
        names.push(...page.items.map(({ metadata }) => metadata.name));
        versions.add(page.metadata.resourceVersion);
        assert.ok(page.items.length <= 7);
      }
      assert.deepEqual(names, all);
      assert.equal(versions.size, 1, 'one consistent list');
      await using plain = adminClient(server, naming, { settings: { disableCompression: true } });
      const options = { labelSelector: 'of=many' };
      assert.deepEqual(
        (await typed(plain.client, 'default').core.v1.configmaps.list(options)).items,
        (await configmaps.list(options)).items,
      );
      const partial = await client.metadata(builtinResources(client.names).core.v1.configmaps).list(options);
      assert.equal(partial.items.length, 60);
      for (const item of partial.items) assert.deepEqual([item.kind, item['data']], ['ConfigMap', undefined]);
      await configmaps.deleteCollection(options);
      assert.deepEqual((await configmaps.list(options)).items, []);
    });

    it('a watch from the resourceVersion of a list misses and repeats no event', async () => {
      const { secrets } = api.core.v1;
      const { metadata } = await secrets.list();
      const stop = new AbortController();
      const seen: string[] = [];
      const watch = (async () => {
        const options = { resourceVersion: metadata.resourceVersion, allowBookmarks: true };
        for await (const { type, object } of secrets.watch(options, stop.signal)) {
          if (type === 'BOOKMARK') continue;
          assert.equal(object.kind, 'Secret');
          seen.push(`${type} ${object.metadata.name}`);
          if (seen.length === 30) return;
        }
      })();
      for (let i = 0; i < 10; i++) {
        const made = await secrets.create({ metadata: { name: `w${i}` }, stringData: { a: 'b' } });
        await secrets.update({ ...made, stringData: { a: 'c' } });
        await secrets.delete(`w${i}`);
      }
      await watch;
      stop.abort();
      assert.deepEqual(
        seen,
        Array.from({ length: 10 }, (_, i) => [`ADDED w${i}`, `MODIFIED w${i}`, `DELETED w${i}`]).flat(),
      );
    });

    it('an invalid continue token fails with code 400', async () => {
      assert.equal((await failure(api.core.v1.secrets.list({ limit: 1, continue: 'nonsense' }))).code, 400);
    });

    it('a watch without resourceVersion begins with the existing objects', async () => {
      const { configmaps } = api.core.v1;
      await configmaps.create({ metadata: { name: 'begin' } });
      const events: WatchEvent[] = [];
      const options = { fieldSelector: 'metadata.name=begin', timeoutSeconds: 1 };
      for await (const event of configmaps.watch(options, soon())) events.push(event);
      assert.deepEqual(
        events.map(({ type, object }) => [type, object.metadata.name]),
        [['ADDED', 'begin']],
      );
    });

    it('scale, status and token subresources can be read and written', async () => {
      const { deployments } = api.apps.v1;
      const made = await deployments.create(deployment('web'));
      assert.equal(made.spec?.replicas, 2);
      const scale = deployments.subresource<kinds.autoscaling.Scale>('scale');
      const got = await scale.get('web');
      assert.deepEqual([got.kind, got.spec?.replicas], ['Scale', 2]);
      await scale.update({ ...got, spec: { replicas: 5 } });
      assert.equal((await deployments.get('web')).spec?.replicas, 5);
      const status = await deployments.subresource('status').patch.merge('web', { status: { replicas: 3 } });
      assert.equal(status.status?.replicas, 3);
      const token = await api.core.v1.serviceaccounts.in('kube-none').list();
      assert.deepEqual(token.items, []);
      await api.core.v1.serviceaccounts.create({ metadata: { name: 'robot' } });
      const made2 = await api.core.v1.serviceaccounts
        .subresource<kinds.authentication.TokenRequest>('token')
        .create('robot', { spec: { audiences: [], expirationSeconds: 600 } });
      assert.match(made2.status?.token ?? '', /^ey/);
    });

    it('a repeated warning of the server is reported once', async () => {
      warnings.length = 0;
      for (let i = 0; i < 3; i++) await typed(client).flowcontrol.v1beta2.flowschemas.list();
      assert.equal(warnings.length, 1);
      assert.match(warnings[0]?.text ?? '', /flowcontrol.*v1beta2.*deprecated/);
    });

    it('the built-in resource table equals discovery of the server', async () => {
      const rows: Resource[] = Object.values(builtinResources(namesFor(naming)))
        .flatMap((versions) => Object.values<Record<string, Resource>>(versions))
        .flatMap((resources) => Object.values(resources));
      const known = new Map(rows.map((row) => [`${row.group}/${row.version}/${row.resource}`, row]));
      const { all, failed } = await client.discovery.read(soon());
      assert.deepEqual([...failed], []);
      assert.ok(all.length > 60);
      for (const { group, version, resource, kind, namespaced } of all) {
        assert.deepEqual(known.get(`${group}/${version}/${resource}`), {
          group,
          version,
          resource,
          kind,
          namespaced,
        });
        const apiVersion = group === '' ? version : `${group}/${version}`;
        assert.equal((await client.discovery.forKind(apiVersion, kind))?.resource, resource);
      }
    });

    it('discovery of a release without aggregated discovery returns resources, subresources and preferred versions', async () => {
      await using old = await launchServer({ naming, args: ['--emulated-version=1.24'] });
      await using older = adminClient(old, naming);
      const { all, preferred, failed } = await older.client.discovery.read(soon());
      assert.deepEqual([...failed], []);
      const find = (name: string) => all.find(({ resource }) => resource === name);
      assert.deepEqual(find('deployments')?.subresources, ['scale', 'status']);
      assert.ok(preferred.length > 50);
      assert.equal(
        new Set(preferred.map(({ group, resource }) => `${group}/${resource}`)).size,
        preferred.length,
      );
    });

    it('requests to a stopped server fail as not sent, and succeed after its restart', async () => {
      const work = mkdtempSync(join(tmpdir(), 'orch-client-'));
      const places = { naming, certDir: join(work, 'certs'), dataDir: join(work, 'data') };
      const first = await launchServerProcess(places);
      await using reached = adminClient(first, naming);
      const maps = typed(reached.client, 'default').core.v1.configmaps;
      await maps.create({ metadata: { name: 'kept' } });
      const watching = maps.watch({}, soon())[Symbol.asyncIterator]();
      await watching.next();
      await first.process.stop('SIGKILL');
      await assert.rejects(async () => watching.next(), { name: 'TransportError' });
      await assert.rejects(maps.delete('kept'), { name: 'TransportError', outcome: 'notSent' });
      await using _ = await launchServer({ ...places, args: [`--secure-port=${first.port}`] });
      assert.equal((await maps.get('kept')).metadata.name, 'kept');
      await first[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    });
  });
}
