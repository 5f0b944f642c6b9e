import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { systemEnv } from '@orch/machinery/env';
import { prefixRange } from '@orch/storage';
import { openEtcdStore } from '@orch/storage/etcd';
import { startEtcd, tempDir } from '@orch/storage/testing';
import { type ApiClient, launchServer, type RunningProcess, start } from '@orch/testkit';
import {
  conditionOf,
  isFinished,
  jsonOf,
  type Migration,
  migrationsPath,
  serveMigrations,
  startMigration,
  watchMigration,
} from './migrations.ts';
import { DEFINITIONS, definition, establish, GROUP, WIDGETS, widget } from './widgets.ts';

const root = join(import.meta.dirname, '..', '..');
const names = namesFor('orch');
const never = new AbortController().signal;
const COUNT = 1200;
const DEFINITION = `${DEFINITIONS}/widgets.${GROUP}`;

interface Version {
  readonly name: string;
  readonly storage: boolean;
}
interface Definition {
  readonly spec: { readonly versions: readonly Version[] };
  readonly status: { readonly storedVersions: readonly string[] };
}
interface Widget {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly resourceVersion: string };
}

const merge = (client: ApiClient, path: string, body: object) =>
  client.send('PATCH', path, { body, contentType: 'application/merge-patch+json' });

/** The definition with a second version, and the one that is the storage version. */
function versions(storage: 'v1' | 'v2'): readonly object[] {
  const { spec } = definition() as { spec: { versions: readonly object[] } };
  return ['v1', 'v2'].map((name) => ({ ...spec.versions[0], name, storage: name === storage }));
}

async function createWidgets(client: ApiClient): Promise<void> {
  for (let i = 0; i < COUNT; i += 50) {
    const some = Array.from({ length: 50 }, (_, k) => client.post(WIDGETS, widget(`w${i + k}`)));
    for (const answer of await Promise.all(some)) jsonOf(answer, 201);
  }
}

/** How many widgets etcd has in each version. */
async function storedAs(endpoints: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const store = await openEtcdStore({ endpoints, env: systemEnv() });
  const { items } = await store.list(prefixRange(`/registry/widgets.${GROUP}/`), {}, never);
  await store.close();
  const counts: Record<string, number> = {};
  for (const { value } of items) {
    const { apiVersion } = JSON.parse(String(value)) as { apiVersion: string };
    counts[apiVersion] = (counts[apiVersion] ?? 0) + 1;
  }
  return counts;
}

async function readWidgets(client: ApiClient): Promise<readonly Widget[]> {
  const { items } = jsonOf<{ items: readonly Widget[] }>(await client.get(WIDGETS));
  return items;
}

const withoutVersion = ({ metadata, ...rest }: Widget): object => ({
  ...rest,
  metadata: { ...metadata, resourceVersion: '' },
});

async function manage(config: string, writesPerSecond: number): Promise<RunningProcess> {
  const process = start(join(root, 'bin', 'orch-controller-manager'), [
    `--client-config=${config}`,
    '--ops-bind-address=127.0.0.1:0',
    '--use-service-account-credentials',
    '--leader-elect-lease-duration=4s',
    '--leader-elect-renew-deadline=3s',
    '--leader-elect-retry-period=500ms',
    `--storage-version-migration-writes-per-second=${writesPerSecond}`,
    '--controllers=storage-version-migrator-controller',
  ]);
  await process.waitFor(/health and metrics on (http:\S+)/, 30_000);
  return process;
}

describe('storage versions of custom resources', { timeout: 240_000 }, () => {
  it('a version is removed after a migration that a killed manager began and the next one finished', async () => {
    await using etcd = await startEtcd();
    await using work = await tempDir('orch-migration-');
    const config = join(work.path, 'controllers.conf');
    await using server = await launchServer({
      etcd: etcd.endpoints,
      args: [serveMigrations(names), '--authorization-mode=RBAC', `--controller-manager-config=${config}`],
    });
    const { client } = server;

    // Objects in v1, and the storage version moves to v2.
    jsonOf(await establish(client), 201);
    await createWidgets(client);
    const moved = jsonOf<Definition>(await merge(client, DEFINITION, { spec: { versions: versions('v2') } }));
    assert.deepEqual(moved.status.storedVersions, ['v1', 'v2']);
    assert.deepEqual(await storedAs(etcd.endpoints), { [`${GROUP}/v1`]: COUNT });
    const before = await readWidgets(client);
    const v2 = versions('v2').slice(1);
    jsonOf(await merge(client, DEFINITION, { spec: { versions: v2 } }), 422);

    // The first manager is killed in the middle.
    const created = await startMigration(client, names, { name: 'to-v2', group: GROUP, resource: 'widgets' });
    const first = await manage(config, 200);
    const tokenKey = names.annotations.migrationContinueToken;
    const started = await watchMigration(
      client,
      names,
      created,
      ({ metadata }) => metadata.annotations?.[tokenKey] !== undefined,
    );
    await first.stop('SIGKILL');
    const middle = started.at(-1);
    assert.ok(middle !== undefined);
    assert.equal(conditionOf(middle, 'Running')?.status, 'True');
    const half = await storedAs(etcd.endpoints);
    assert.ok((half[`${GROUP}/v1`] ?? 0) > 0 && (half[`${GROUP}/v2`] ?? 0) >= 250, JSON.stringify(half));
    jsonOf(await merge(client, DEFINITION, { spec: { versions: v2 } }), 422);

    // The next one continues from there.
    await using _second = await manage(config, 2000);
    const seen = await watchMigration(client, names, middle, isFinished);
    const last = seen.at(-1);
    assert.ok(last !== undefined);
    assert.equal(conditionOf(last, 'Succeeded')?.status, 'True', JSON.stringify(last.status));
    assert.equal(conditionOf(last, 'Running')?.status, 'False');
    assert.match(conditionOf(last, 'Succeeded')?.message ?? '', new RegExp(`^${COUNT} objects examined`));
    assert.ok(seen.length > 1, 'the progress was reported');
    assert.equal(last.status.resourceVersion, middle.status.resourceVersion);

    // All stored bytes are in v2, nothing but the resourceVersion of the objects has changed, each exactly once.
    assert.deepEqual(await storedAs(etcd.endpoints), { [`${GROUP}/v2`]: COUNT });
    const after = await readWidgets(client);
    assert.deepEqual(after.map(withoutVersion), before.map(withoutVersion));
    const stored = jsonOf<Definition>(await client.get(DEFINITION));
    assert.deepEqual(stored.status.storedVersions, ['v2']);

    // The old version can be removed, and the objects remain.
    jsonOf(await merge(client, DEFINITION, { spec: { versions: v2 } }));
    const path = WIDGETS.replace('/v1/', '/v2/');
    const { items } = jsonOf<{ items: readonly object[] }>(await client.get(path));
    assert.equal(items.length, COUNT);
    jsonOf(await merge(client, `${path}/w0`, { spec: { size: 2 } }));
    const finished = jsonOf<Migration>(await client.get(migrationsPath(names, 'to-v2')));
    assert.equal(finished.metadata.resourceVersion, last.metadata.resourceVersion);
  });
});
