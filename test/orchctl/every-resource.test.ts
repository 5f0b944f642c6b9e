import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pluginNames } from '@orch/admission';
import { LATEST, NEWEST_RELEASE } from '@orch/apis';
import { builtinResources, type Resource } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { manifestsOf, readManifests } from '../lifecycle/manifests.ts';
import { type ServedKind, servedKinds } from '../lifecycle/served-kinds.ts';
import { type CommandCluster, commandCluster } from './cluster.ts';

const names = namesFor('kubernetes');
const manifests = readManifests(names);
/** Objects are created as their manifests have them. */
const args = [
  ...['--runtime-config=api/all=true', `--disable-admission-plugins=${pluginNames.join(',')}`],
  // Services that are created have other addresses than the manifests.
  '--service-cluster-ip-range=10.9.0.0/16',
];

/** `RESOURCE.VERSION.GROUP`, as in command lines. */
const typed = ({ resource, version, group }: ServedKind): string =>
  group === '' ? `${resource}.${version}.` : `${resource}.${version}.${group}`;

const isStored = ({ verbs }: ServedKind): boolean => verbs.includes('get');

/** Without API services: clients would ask their services, which do not exist, for further kinds. */
const isCreated = (served: ServedKind): boolean =>
  served.verbs.includes('create') && served.kind !== 'APIService';

/** The others are connections to other programs. */
const holdsState = (subresource: string): boolean =>
  !['attach', 'exec', 'log', 'portforward', 'proxy'].includes(subresource);

describe('resources of the newest release with all its versions', { timeout: 600_000 }, () => {
  let cluster: CommandCluster;
  let served: readonly ServedKind[];
  before(async () => {
    cluster = await commandCluster('kubernetes', { release: LATEST, args });
    served = await servedKinds(cluster.server.client, NEWEST_RELEASE);
    assert.ok(served.length >= 100, `${served.length} resources`);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  const run = async (argv: readonly string[]): Promise<string> => {
    const { status, out, err } = await cluster.orchctl(argv);
    // Deprecated versions have warnings.
    assert.deepEqual([status, err.replace(/^Warning: .*\n/gm, '')], [0, ''], argv.join(' '));
    return out;
  };

  it('orchctl explains each resource in each version', async () => {
    for (const one of served) {
      const out = await run(['explain', one.resource, `--api-version=${one.apiVersion}`]);
      assert.match(out, new RegExp(`^KIND: +${one.kind}$`, 'm'), typed(one));
      assert.match(out, new RegExp(`^VERSION: +${one.version}$`, 'm'), typed(one));
    }
  });

  it('orchctl creates an object of each resource that can be created, also as a dry run', async () => {
    // A binding needs its pod.
    const stored = served.filter(isStored);
    for (const one of [...stored, ...served.filter((each) => !isStored(each))].filter(isCreated)) {
      const written = manifestsOf(manifests, one).map(({ text }) => text);
      assert.notEqual(written.length, 0, `manifests of ${typed(one)}`);
      const file = join(cluster.folder, 'manifest.yaml');
      writeFileSync(file, written.join('\n---\n'));
      assert.match(await run(['create', '-f', file, '--dry-run=server']), /\bcreated \(server dry run\)$/m);
      if (isStored(one)) assert.match(await run(['create', '-f', file]), /\bcreated$/m);
    }
  });

  it('orchctl prints and describes the objects of each resource in each version, and their subresources', async () => {
    for (const one of served.filter(isStored)) {
      const where = one.namespaced ? ['-n', 'default'] : [];
      await run(['get', typed(one), ...where]);
      const out = await run(['get', typed(one), ...where, '-o', 'name']);
      const [object] = out.split('\n');
      if (object === undefined || object === '') continue;
      assert.match(await run(['describe', object, ...where]), /^Name: /m, object);
      for (const { name, verbs } of one.subresources.filter((each) => holdsState(each.name))) {
        if (!verbs.includes('get')) continue;
        const shown = await run(['get', object, ...where, '-o', 'jsonpath={.kind}', `--subresource=${name}`]);
        assert.match(shown, /^[A-Z]\w+$/, `${object} ${name}`);
      }
    }
  });

  it('the client library has each resource in each version under the names of discovery', () => {
    const tree: Readonly<Record<string, Record<string, Record<string, Resource>>>> = builtinResources(names);
    for (const one of served) {
      const known = tree[names.groupKey(one.group) ?? '']?.[one.version]?.[one.resource];
      assert.deepEqual(
        [known?.group, known?.version, known?.kind, known?.namespaced],
        [one.group, one.version, one.kind, one.namespaced],
        typed(one),
      );
    }
  });
});
