import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { eventually, testEnv } from '@orch/machinery/testing';
import { isEnvelope } from '@orch/schema';
import {
  convertGates,
  GATE_GROUP,
  gate1,
  gateDefinition,
  gatesPath,
  WebhookServer,
} from '@orch/server/testing';
import { prefixRange, readable } from '@orch/storage';
import { openEmbeddedStore } from '@orch/storage/embedded';
import { tempDir } from '@orch/storage/testing';
import { type ApiClient, launchServer } from '@orch/testkit';
import {
  conditionOf,
  isFinished,
  isTrue,
  jsonOf,
  type Migration,
  migrationOf,
  migrationsPath,
  serveMigrations,
  startMigration,
  watchMigration,
} from '../custom-resources/migrations.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

const orch = namesFor('orch');
const never = new AbortController().signal;
const quick = { storageVersionMigrator: { writesPerSecond: 1000, settleMs: 100 } };
const CONTROLLER = 'storage-version-migrator-controller';

const merge = (client: ApiClient, path: string, body: object) =>
  client.send('PATCH', path, { body, contentType: 'application/merge-patch+json' });

interface Stored {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

async function read(client: ApiClient, path: string): Promise<readonly Stored[]> {
  return jsonOf<{ items: readonly Stored[] }>(await client.get(path)).items;
}

interface Role {
  readonly rules:
    | readonly {
        readonly verbs: readonly string[];
        readonly apiGroups?: readonly string[];
        readonly resources?: readonly string[];
      }[]
    | null;
}

const withoutVersion = ({ metadata, ...rest }: Stored): object => ({
  ...rest,
  metadata: { ...metadata, resourceVersion: '' },
});

/** The encodings in which a data folder has the objects below a prefix. */
async function encodings(dataDir: string, prefix: string): Promise<readonly string[]> {
  const store = await openEmbeddedStore({ dir: dataDir, env: testEnv() });
  const { items } = await store.list(prefixRange(prefix), {}, never);
  await store.close();
  return [...new Set(items.map((kv) => (isEnvelope(readable(kv).value) ? 'protobuf' : 'json')))];
}

describe('storage version migrations of built-in kinds', { timeout: 120_000 }, () => {
  it('orch up stores existing objects in the encoding that it was started with, by a migration', async () => {
    await using work = await tempDir('orch-migrations-');
    const dataDir = join(work.path, 'data');
    const launch = (mediaType: string) =>
      launchServer({
        program: 'orch',
        dataDir,
        certDir: join(work.path, 'certs'),
        args: [serveMigrations(orch), '--authorization-mode=RBAC', `--storage-media-type=${mediaType}`],
      });
    const secrets = '/api/v1/namespaces/default/secrets';
    {
      await using server = await launch('application/json');
      for (let i = 0; i < 20; i++) {
        const metadata = { name: `s${i}`, annotations: { note: 'ümläut <&>' } };
        const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { a: 'b' } };
        jsonOf(await server.client.post(secrets, secret), 201);
      }
      await server.stop();
    }
    const prefix = '/registry/secrets/default/';
    assert.deepEqual(await encodings(dataDir, prefix), ['json']);
    {
      await using server = await launch('application/vnd.orch.protobuf');
      const earlier = await read(server.client, secrets);
      const created = await startMigration(server.client, orch, {
        name: 'secrets',
        group: '',
        resource: 'secrets',
      });
      const last = (await watchMigration(server.client, orch, created, isFinished)).at(-1);
      assert.ok(last !== undefined && isTrue(last, 'Succeeded'), JSON.stringify(last?.status));
      const now = await read(server.client, secrets);
      assert.deepEqual(now.map(withoutVersion), earlier.map(withoutVersion));
      for (const [i, { metadata }] of now.entries())
        assert.notEqual(metadata.resourceVersion, earlier[i]?.metadata.resourceVersion, metadata.name);

      // A second migration finds nothing to write.
      const again = await startMigration(server.client, orch, {
        name: 'again',
        group: '',
        resource: 'secrets',
      });
      const end = (await watchMigration(server.client, orch, again, isFinished)).at(-1);
      assert.ok(end !== undefined);
      assert.match(conditionOf(end, 'Succeeded')?.message ?? '', / 0 of them stored again$/);
      assert.deepEqual(await read(server.client, secrets), now);
      await server.stop();
    }
    assert.deepEqual(await encodings(dataDir, prefix), ['protobuf']);
  });
});

describe('the storage version migrator', { timeout: 120_000 }, () => {
  const names = namesFor('kubernetes');
  let cluster: Controlled;
  let webhook: WebhookServer;
  const apiextensions = names.group('apiextensions');
  const definition = `/apis/${apiextensions}/v1/customresourcedefinitions/gates.${GATE_GROUP}`;
  const finished = async (name: string): Promise<Migration> =>
    await eventually(
      async () => jsonOf<Migration>(await cluster.client.get(migrationsPath(names, name))),
      isFinished,
    );

  before(async () => {
    webhook = await WebhookServer.start(convertGates);
    cluster = await controlled({ args: [serveMigrations(names)], hasSharedInformers: true });
    await cluster.run(CONTROLLER, quick);
  });
  after(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await webhook?.stop();
  });

  it('a conversion webhook that fails delays a migration, whose condition states it', async () => {
    const { client } = cluster;
    const initial = gateDefinition(webhook, { storage: 'v1', apiextensions });
    jsonOf(await client.post(definition.slice(0, definition.lastIndexOf('/')), initial), 201);
    await eventually(
      () => client.get(gatesPath('v1')),
      ({ status }) => status === 200,
    );
    for (let i = 0; i < 30; i++) jsonOf(await client.post(gatesPath('v1'), gate1(`g${i}`, 'h', i + 1)), 201);
    const { spec } = gateDefinition(webhook, { apiextensions }) as { spec: { versions: unknown } };
    jsonOf(await merge(client, definition, { spec: { versions: spec.versions } }));
    await webhook.stop();
    await startMigration(client, names, { name: 'gates', group: GATE_GROUP, resource: 'gates' });
    const failing = await eventually(
      async () => jsonOf<Migration>(await client.get(migrationsPath(names, 'gates'))),
      (migration) => /to be retried/.test(conditionOf(migration, 'Running')?.message ?? ''),
    );
    assert.match(
      conditionOf(failing, 'Running')?.message ?? '',
      /conversion webhook for net\.example\.com\/v1, Kind=Gate failed/,
    );
    assert.equal(isFinished(failing), false);

    await webhook.start();
    const last = await finished('gates');
    assert.ok(isTrue(last, 'Succeeded'), JSON.stringify(last.status));
    const { status } = jsonOf<{ status: { storedVersions: unknown } }>(await client.get(definition));
    assert.deepEqual(status.storedVersions, ['v2']);
    // Objects that are stored in v2 are read in v2 without the webhook.
    await webhook.stop();
    const [gate] = await read(client, gatesPath('v2'));
    assert.match(JSON.stringify(gate), /"address":"h:1"/);
  });

  it('every kind of objects that a new cluster has can be migrated with the default role of the controller', async () => {
    const resources = ['namespaces', 'serviceaccounts', 'configmaps', 'services', 'endpoints'];
    const groups = [
      ...resources.map((resource) => ['', resource]),
      [names.group('rbac'), 'clusterroles'],
      [names.group('rbac'), 'clusterrolebindings'],
      [names.group('rbac'), 'roles'],
      [names.group('flowcontrol'), 'flowschemas'],
      [names.group('scheduling'), 'priorityclasses'],
      [names.group('apiregistration'), 'apiservices'],
      [names.group('apiextensions'), 'customresourcedefinitions'],
      [names.group('storagemigration'), 'storageversionmigrations'],
    ] as const;
    for (const [group = '', resource = ''] of groups) {
      await startMigration(cluster.client, names, { name: `all-${resource}`, group, resource });
      const last = await finished(`all-${resource}`);
      assert.ok(isTrue(last, 'Succeeded'), JSON.stringify(last.status));
      assert.match(conditionOf(last, 'Succeeded')?.message ?? '', / 0 of them stored again$/);
    }
  });

  it('a resource that is defined after its migration is migrated', async () => {
    const { client } = cluster;
    const body = {
      apiVersion: `${apiextensions}/v1`,
      kind: 'CustomResourceDefinition',
      metadata: { name: 'latecomers.late.example.com' },
      spec: {
        group: 'late.example.com',
        scope: 'Cluster',
        names: { plural: 'latecomers', kind: 'Latecomer' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    };
    await startMigration(client, names, { name: 'late', group: 'late.example.com', resource: 'latecomers' });
    const waiting = await eventually(
      async () => jsonOf<Migration>(await client.get(migrationsPath(names, 'late'))),
      (migration) => conditionOf(migration, 'Running') !== undefined,
    );
    assert.equal(conditionOf(waiting, 'Running')?.reason, 'ResourceNotFound');
    const created = await client.post(definition.slice(0, definition.lastIndexOf('/')), body);
    jsonOf(created, 201);
    assert.ok(isTrue(await finished('late'), 'Succeeded'));
  });

  it('resources whose objects are not stored cannot be migrated', async () => {
    await startMigration(cluster.client, names, { name: 'none', group: '', resource: 'componentstatuses' });
    const last = await finished('none');
    assert.equal(conditionOf(last, 'Failed')?.message, 'componentstatuses does not support patch');
  });

  it('clients cannot set the progress of a migration', async () => {
    const { migrationProgress, migrationContinueToken } = names.annotations;
    const annotations = { [migrationProgress]: '{}', [migrationContinueToken]: 'x', note: 'mine' };
    const body = { ...migrationOf(names, 'forged', '', 'nothings'), status: { resourceVersion: '1' } };
    const created = jsonOf<Migration>(
      await cluster.client.post(migrationsPath(names), {
        ...body,
        metadata: { name: 'forged', annotations },
      }),
      201,
    );
    assert.deepEqual([created.metadata.annotations, created.status], [{ note: 'mine' }, {}]);
    const patched = await merge(cluster.client, migrationsPath(names, 'forged'), {
      metadata: { annotations },
    });
    assert.deepEqual(jsonOf<Migration>(patched).metadata.annotations, { note: 'mine' });
  });

  it('the role of the controller permits to list and patch objects, and to read nothing but migrations and definitions', async () => {
    const { client } = cluster;
    const roles = `/apis/${names.group('rbac')}/v1/clusterroles`;
    const { rules } = jsonOf<Role>(await client.get(`${roles}/system:controller:${CONTROLLER}`));
    assert.deepEqual(rules, [
      { verbs: ['list', 'patch'], apiGroups: ['*'], resources: ['*'] },
      {
        verbs: ['get'],
        apiGroups: [names.group('storagemigration')],
        resources: ['storageversionmigrations'],
      },
      { verbs: ['get'], apiGroups: [apiextensions], resources: ['customresourcedefinitions'] },
    ]);
  });

  it('no default role but that of administrators permits to create migrations', async () => {
    const all = jsonOf<{ items: readonly (Role & Stored)[] }>(
      await cluster.client.get(`/apis/${names.group('rbac')}/v1/clusterroles`),
    );
    const has = (words: readonly string[] | undefined, wanted: string): boolean =>
      words?.some((word) => word === '*' || word === wanted) === true;
    const permitting = all.items.filter(({ rules }) =>
      (rules ?? []).some(
        ({ verbs, apiGroups, resources }) =>
          has(verbs, 'create') &&
          has(apiGroups, names.group('storagemigration')) &&
          has(resources, 'storageversionmigrations'),
      ),
    );
    assert.deepEqual(
      permitting.map(({ metadata }) => metadata.name),
      ['cluster-admin'],
    );
  });

  it('a server that does not serve migrations has no role for the controller', async () => {
    await using server = await launchServer({ args: ['--authorization-mode=RBAC'] });
    const { status } = await server.client.get(
      `/apis/${orch.group('rbac')}/v1/clusterroles/system:controller:${CONTROLLER}`,
    );
    assert.equal(status, 404);
  });
});
