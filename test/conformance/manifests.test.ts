import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { NEWEST_RELEASE, OLDEST_RELEASE, type Release } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { type Kubectl, type LaunchedServer, launchServer, representativeKubectls, run } from '@orch/testkit';
import { type Manifest, manifestFolder, manifestsOf, readManifests } from '../lifecycle/manifests.ts';

const root = join(import.meta.dirname, '..', '..');
const kubectls = await representativeKubectls(root);

/** The first and the last release, for the newest client. The oldest one is tried with a release between them. */
const releases: readonly Release[] = [OLDEST_RELEASE, NEWEST_RELEASE];
const DEFAULT_RELEASE: Release = '1.24';

/** Plugins that refuse pods whose class does not exist: a dry run does not create it, and `apply` creates it after them. */
const checksOfReferences = 'Priority';

/** An old kubectl reads all schemas again for each object of a server-side dry run: it tries one object of this many. */
const SHARE_OF_OLD = 6;

interface Pair {
  readonly kubectl: Kubectl;
  readonly release: Release;
  /** Dry runs and deletions too. */
  readonly thorough: boolean;
}

/**
 * The newest client with the default release and thoroughly with the first and the last one, and the oldest with the release of its
 * time.
 */
function pairs(): readonly Pair[] {
  const newest = kubectls.at(-1);
  const oldest = kubectls[0];
  return [
    ...kubectls
      .filter((kubectl) => kubectl !== oldest || kubectls.length === 1)
      .map((kubectl) => ({ kubectl, release: DEFAULT_RELEASE, thorough: false })),
    ...(newest === undefined
      ? []
      : releases.map((release) => ({ kubectl: newest, release, thorough: true }))),
    ...(oldest === undefined || oldest === newest
      ? []
      : [{ kubectl: oldest, release: '1.20', thorough: true }]),
  ];
}

/** How the manifests of a release can be used: kept objects are applied, others are only ever sent. */
interface Sorted {
  readonly kept: readonly Manifest[];
  readonly sent: readonly Manifest[];
  /** The paths of all kept objects in all namespaces. */
  readonly collections: readonly string[];
}

interface ListedResource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** Sorts the manifests by what the server says that it serves. */
async function sorted({ client }: LaunchedServer, release: Release): Promise<Sorted> {
  const all = readManifests(namesFor('kubernetes'));
  const kept: Manifest[] = [];
  const sent: Manifest[] = [];
  const collections: string[] = [];
  for (const apiVersion of new Set(all.map(({ object }) => object.apiVersion))) {
    const path = `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`;
    const answer = await client.get(path);
    if (answer.status === 404) continue;
    const { resources } = answer.json as { readonly resources: readonly ListedResource[] };
    for (const { name, kind, verbs } of resources) {
      if (name.includes('/') || !verbs.includes('create')) continue;
      const found = manifestsOf(all, { apiVersion, kind, release });
      (verbs.includes('get') ? kept : sent).push(...found);
      if (verbs.includes('list') && found.length > 0) collections.push(`${path}/${name}`);
    }
  }
  return { kept, sent: sent.filter(({ object }) => object.kind !== 'Binding'), collections };
}

/** A folder with copies of some manifests. */
function folderOf(manifests: readonly Manifest[], work: string, name: string): string {
  const folder = join(work, name);
  for (const { path } of manifests)
    cpSync(join(manifestFolder, path), join(folder, path), { recursive: true, mode: 0 });
  assert.ok(manifests.length > 0 && dirname(folder) === work);
  return folder;
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

if (kubectls.length === 0) {
  describe('kubectl with all manifests', () => {
    it.skip('kubectl applies all manifests: no kubectl on this machine', () => {});
  });
}

for (const { kubectl, release, thorough } of pairs()) {
  describe(`kubectl ${kubectl.release} with all manifests of release ${release}`, {
    timeout: 170_000,
  }, () => {
    const isNewest = kubectl === kubectls.at(-1);
    const work = mkdtempSync(join(tmpdir(), 'manifests-'));
    let server: LaunchedServer;
    let manifests: Sorted;
    let kept: string;
    let sent: string;

    before(async () => {
      server = await launchServer({
        naming: 'kubernetes',
        args: [
          `--emulated-version=${release}`,
          '--runtime-config=api/all=true',
          `--disable-admission-plugins=${checksOfReferences}`,
        ],
      });
      manifests = await sorted(server, release);
      kept = folderOf(manifests.kept, work, 'kept');
      sent = folderOf(manifests.sent, work, 'sent');
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    });

    /** Runs a command that must succeed; deprecated versions may be warned of. */
    const ok = async (...args: readonly string[]): Promise<readonly string[]> => {
      const env = { KUBECONFIG: server.adminConfig, HOME: work };
      const { code, stdout, stderr } = await run(kubectl.path, args, { env });
      assert.equal(code, 0, `kubectl ${args.join(' ')}\n${stderr.slice(0, 8000)}`);
      return lines(stdout);
    };
    /** Fails unless the output has one line with the word for every manifest. */
    const assertEach = (
      output: readonly string[],
      word: string,
      of: readonly Manifest[] = manifests.kept,
    ) => {
      assert.deepEqual(
        output.filter((line) => !line.includes(` ${word}`)),
        [],
      );
      assert.equal(output.length, of.length);
    };

    /** Names and revisions of all objects of the kinds of manifests. */
    const revisions = async (): Promise<readonly string[]> => {
      const lists = await Promise.all(manifests.collections.map((path) => server.client.get(path)));
      return lists.flatMap(({ json }, i) =>
        (json as { readonly items: readonly Manifest['object'][] }).items.map(
          ({ metadata }) => `${manifests.collections[i]} ${metadata.name} ${metadata.resourceVersion}`,
        ),
      );
    };

    if (thorough) {
      it(`kubectl ${kubectl.release} validates all manifests of release ${release} in a client-side dry run`, async () => {
        assertEach(await ok('apply', '-R', '-f', kept, '--dry-run=client'), 'created (dry run)');
        const reviews = await ok('create', '-R', '-f', sent, '--dry-run=client');
        assertEach(reviews, 'created (dry run)', manifests.sent);
      });

      const share = isNewest ? 1 : SHARE_OF_OLD;
      it(`kubectl ${kubectl.release} applies manifests of release ${release} in a server-side dry run, one of ${share}`, async () => {
        const some = manifests.kept.filter((_, i) => i % share === 0);
        const folder = share === 1 ? kept : folderOf(some, work, 'some');
        const output = await ok('apply', '-R', '-f', folder, '--dry-run=server');
        assertEach(output, 'created (server dry run)', some);
      });
    }

    it(`kubectl ${kubectl.release} applies all manifests of release ${release}, and writes nothing when they are applied again`, async () => {
      assertEach(await ok('apply', '-R', '-f', kept), 'created');
      const before = await revisions();
      // Some objects, such as the default namespace, are those of the server.
      assert.ok(before.length >= manifests.kept.length);
      // It may send what the server leaves out or fills in, such as a false or a protocol.
      const again = await ok('apply', '-R', '-f', kept);
      const unknown = again.filter((line) => !/ (?:unchanged|configured)$/.test(line));
      assert.deepEqual(unknown, []);
      assert.deepEqual(await revisions(), before, 'nothing was written');
      assertEach(await ok('create', '-R', '-f', sent), 'created', manifests.sent);
    });

    it(`kubectl ${kubectl.release} gets all objects of release ${release} as tables and JSON`, async () => {
      const names = manifests.kept.map(({ object }) => object.metadata.name ?? '');
      const tables = await ok('get', '-R', '-f', kept, '-o', 'wide');
      for (const name of names)
        assert.ok(
          tables.some((line) => line.includes(name)),
          name,
        );
      const json = JSON.parse((await ok('get', '-R', '-f', kept, '-o', 'json')).join('\n')) as {
        readonly items: readonly { readonly metadata: { readonly name: string } }[];
      };
      assert.deepEqual(json.items.map(({ metadata }) => metadata.name).sort(), names.sort());
    });

    if (thorough) {
      it(`kubectl ${kubectl.release} deletes all objects of release ${release}`, async () => {
        const deleted = await ok('delete', '-R', '-f', kept, '--wait=false', '--cascade=background');
        assert.equal(deleted.length, manifests.kept.length);
      });
    }
  });
}
