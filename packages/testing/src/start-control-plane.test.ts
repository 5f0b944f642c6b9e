import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { builtinResources, createClient, isNotFound, type TypedResource, waitFor } from '@orch/client';
import { type ApiObject, type Naming, namesFor, namings } from '@orch/machinery';
import type { ControlPlane } from './options.ts';
import { startControlPlane } from './start-control-plane.ts';

const { signal } = new AbortController();
const WAIT_MS = 60_000;

const parts = (plane: ControlPlane) => {
  const client = createClient(plane.config);
  const { namespaces, configmaps, serviceaccounts, secrets } = builtinResources(client.names).core.v1;
  const gone = (resource: TypedResource<ApiObject>, name: string, namespace?: string) =>
    waitFor(
      {
        ...{ client, env: plane.config.env, resource, name, timeoutMs: WAIT_MS },
        ...(namespace !== undefined && { namespace }),
        is: (object) => object === undefined,
      },
      signal,
    );
  return { client, namespaces, configmaps, serviceaccounts, secrets, gone };
};

const colour = {
  group: 'example.com',
  version: 'v1',
  resource: 'colours',
  kind: 'Colour',
  namespaced: true,
} as const;

const definition = (names: ReturnType<typeof namesFor>): ApiObject => ({
  apiVersion: names.apiVersion('apiextensions', 'v1'),
  kind: 'CustomResourceDefinition',
  metadata: { name: 'colours.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'colours', kind: 'Colour' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

const temporary = mkdtempSync(join(tmpdir(), 'orch-manifests-'));
after(() => rmSync(temporary, { recursive: true, force: true }));

/** A folder with the definition of colours and one of them, as projects of operators have it. */
function manifests(naming: Naming): string {
  const folder = join(temporary, naming);
  mkdirSync(join(folder, 'samples'), { recursive: true });
  const texts = {
    'colours.json': JSON.stringify(definition(namesFor(naming))),
    'kustomization.yaml': 'resources:\n- colours.json\n',
    'samples/sky.yml': 'apiVersion: example.com/v1\nkind: Colour\nmetadata: { name: sky, namespace: team }\n',
  };
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text);
  return folder;
}

for (const naming of namings)
  describe(`a control plane of a test (${naming})`, { timeout: 170_000 }, () => {
    let plane: ControlPlane;
    before(async () => {
      plane = await startControlPlane({
        naming,
        crds: [manifests(naming)],
        seed: [
          { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
          join(manifests(naming), 'samples', 'sky.yml'),
        ],
      });
    });
    after(() => plane?.stop());

    it('a control plane serves the latest release by default, and says which one it is', async () => {
      const { client } = parts(plane);
      const version = Object(await client.raw({ method: 'GET', target: '/version', headers: {} }, signal));
      const { minor } = version;
      assert.ok(Number(minor) >= 36, minor);
      assert.deepEqual(version, {
        ...version,
        ...{ major: '1', emulationMajor: '1', emulationMinor: minor },
        ...{ minCompatibilityMajor: '1', minCompatibilityMinor: `${Number(minor) - 1}` },
      });
      assert.ok(version.gitVersion.startsWith(`v1.${minor}.0+orch.`), version.gitVersion);
    });

    it('the objects of the options exist when the control plane has started', async () => {
      const { client, namespaces } = parts(plane);
      assert.equal((await client.resource(namespaces).get('team')).metadata.name, 'team');
      assert.equal((await client.resource(colour, 'team').get('sky')).metadata.name, 'sky');
    });

    it('a deleted namespace is removed with its objects', async () => {
      const { client, namespaces, configmaps, gone } = parts(plane);
      await client.resource(namespaces).create({ metadata: { name: 'short' } });
      await client.resource(configmaps, 'short').create({ metadata: { name: 'a' } });
      await client.resource(namespaces).delete('short');
      await gone(namespaces, 'short');
      const { items } = await client.resource(configmaps).list();
      assert.deepEqual(
        items.filter(({ metadata }) => metadata.namespace === 'short'),
        [],
      );
    });

    it('dependents of a deleted object are removed, and each namespace gets its account', async () => {
      const { client, configmaps, serviceaccounts, secrets, gone } = parts(plane);
      const account = {
        client,
        env: plane.config.env,
        resource: serviceaccounts,
        namespace: 'team',
        name: 'default',
      };
      await waitFor({ ...account, is: (found) => found !== undefined, timeoutMs: WAIT_MS }, signal);
      const owner = await client.resource(configmaps, 'team').create({ metadata: { name: 'owner' } });
      const { uid = '' } = owner.metadata;
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
      await client.resource(secrets, 'team').create({ metadata: { name: 'dependent', ownerReferences } });
      await client.resource(configmaps, 'team').delete('owner');
      await gone(secrets, 'dependent', 'team');
    });

    it('a reset makes the objects as they were after the start', async () => {
      const { client, namespaces, configmaps } = parts(plane);
      await client.resource(namespaces).create({ metadata: { name: 'added' } });
      await client.resource(configmaps, 'team').create({ metadata: { name: 'added' } });
      await client.resource(colour, 'team').delete('sky');
      const before = Number((await client.resource(namespaces).list()).metadata.resourceVersion);
      await plane.reset();
      const after = (await client.resource(namespaces).list()).metadata.resourceVersion;
      assert.ok(Number(after) > before, 'versions continue to grow');
      await assert.rejects(client.resource(namespaces).get('added'), isNotFound);
      await assert.rejects(client.resource(configmaps, 'team').get('added'), isNotFound);
      assert.equal((await client.resource(colour, 'team').get('sky')).metadata.name, 'sky');
    });

    it('controllers work after a reset', async () => {
      const { client, namespaces, gone } = parts(plane);
      await plane.reset();
      await client.resource(namespaces).create({ metadata: { name: 'later' } });
      await client.resource(namespaces).delete('later');
      await gone(namespaces, 'later');
    });
  });

describe('control planes of one process', { timeout: 170_000 }, () => {
  it('two control planes share nothing, and leave no files when they are stopped', async () => {
    const options = { controllers: false } as const;
    const planes = await Promise.all([startControlPlane(options), startControlPlane(options)]);
    const [first, second] = planes.map(parts);
    await first?.client.resource(first.configmaps, 'default').create({ metadata: { name: 'a' } });
    const read = second?.client.resource(second.configmaps, 'default').get('a');
    await assert.rejects(read ?? Promise.resolve(), isNotFound);
    assert.notEqual(planes[0].url, planes[1].url);
    for (const plane of planes) {
      assert.equal(existsSync(plane.configFile), true);
      await plane.stop();
      await plane.stop();
      assert.equal(existsSync(plane.configFile), false);
    }
  });

  it('options that are not valid are refused and leave nothing behind', async () => {
    await assert.rejects(startControlPlane({ emulatedVersion: '0.1' }), { name: 'UsageError' });
    await assert.rejects(startControlPlane({ flags: ['word'] }), {
      name: 'UsageError',
      message: /must be a flag/,
    });
    const odd = { apiVersion: 'example.com/v1', kind: 'Odd', metadata: { name: 'a' } };
    await assert.rejects(
      startControlPlane({ seed: [odd], controllers: false }),
      /Odd of example.com\/v1 is not served/,
    );
    const file = join(temporary, 'wrong.yaml');
    writeFileSync(file, 'kind: ConfigMap\n');
    await assert.rejects(startControlPlane({ crds: [file], controllers: false }), {
      message: `${file}: document 1 at line 1: apiVersion: must be a string`,
    });
  });
});
