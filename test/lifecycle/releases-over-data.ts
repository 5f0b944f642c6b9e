import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pluginNames } from '@orch/admission';
import { compareReleases, NEWEST_RELEASE, type Release } from '@orch/apis';
import { startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, run, temporaryFolder } from '@orch/testkit';
import { type ServedKind, servedKinds } from './served-kinds.ts';
import { isReadable, names, type StoredObject, storeAll, titleOf, typeOf } from './stored-objects.ts';

const bin = join(import.meta.dirname, '..', '..', 'bin', 'orch-apiserver');
const releases: readonly Release[] = ['1.24', '1.28', '1.30', '1.32', '1.34', '1.36', NEWEST_RELEASE];
/** A program that has not ended by then is considered hung. */
const REFUSAL_MS = 120_000;
/** Every version of a release, also those that it does not serve by default. Objects are stored as clients send them. */
const args = ['--runtime-config=api/all=true', `--disable-admission-plugins=${pluginNames.join(',')}`];

/** The server would ask the services of API services, which do not exist, for their kinds. */
const isOwn = ({ kind }: ServedKind): boolean => kind !== 'APIService';

interface Data {
  readonly flags: readonly string[];
  launch(release: Release): Promise<LaunchedServer>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function openData(backend: 'embedded' | 'etcd'): Promise<Data> {
  const folder = temporaryFolder();
  const certDir = join(folder.path, 'certs');
  const dataDir = join(folder.path, 'data');
  const etcd = backend === 'etcd' ? await startEtcd() : undefined;
  const store = etcd === undefined ? { dataDir } : { etcd: etcd.endpoints };
  return {
    flags: [
      `--cert-dir=${certDir}`,
      ...(etcd === undefined
        ? ['--storage-backend=embedded', `--data-dir=${dataDir}`]
        : ['--storage-backend=etcd', `--etcd-servers=${etcd.endpoints.join(',')}`]),
    ],
    launch: (release) =>
      launchServer({ naming: 'kubernetes', release, requiresAccounts: true, certDir, args, ...store }),
    async [Symbol.asyncDispose]() {
      await etcd?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** What the release cannot serve of the objects that later ones have stored, but candidates of elections, who make theirs again. */
function unservedOf(
  release: Release,
  kinds: readonly ServedKind[],
  stored: readonly StoredObject[],
): readonly StoredObject[] {
  const types = new Set(kinds.map(typeOf));
  return stored.filter(
    ({ served }) =>
      compareReleases(served.release, release) > 0 &&
      !types.has(typeOf(served)) &&
      served.kind !== 'LeaseCandidate',
  );
}

/** The resource of an object as messages of the start name it. */
function resourceOf(stored: StoredObject): string {
  const { group, resource } = typeOf(stored.served) ?? assert.fail(titleOf(stored));
  return names.group(group) === '' ? resource : `${resource}.${names.group(group)}`;
}

/** Declares the tests of all releases, one after another, over the data of one store. */
export function describeReleases(backend: 'embedded' | 'etcd'): void {
  describe(`releases one after another over the data of one ${backend} store, with all versions`, () => {
    const opened = openData(backend);
    after(async () => (await opened)[Symbol.asyncDispose]());
    const stored: StoredObject[] = [];
    const kindsOf = new Map<Release, readonly ServedKind[]>();

    const assertAllRead = async (server: LaunchedServer, kinds: readonly ServedKind[]): Promise<void> => {
      for (const one of stored) {
        if (await isReadable(server.client, kinds, one)) continue;
        const reports = server
          .output()
          .split('\n')
          .filter((line) => line.includes('no longer serves'));
        const isReported = reports.some(
          (line) => line.includes(`"${resourceOf(one)}"`) && line.includes(one.name),
        );
        assert.ok(isReported, `${titleOf(one)} is not reported:\n${reports.join('\n')}`);
      }
    };

    for (const release of releases)
      it(`release ${release} reads the objects of earlier releases in each of its versions, or reports them`, async () => {
        await using server = await (await opened).launch(release);
        const kinds = await servedKinds(server.client, release);
        kindsOf.set(release, kinds);
        await assertAllRead(server, kinds);
        const written = await storeAll(server.client, kinds.filter(isOwn));
        assert.ok(written.length > 60, String(written.length));
        stored.push(...written);
        await server.stop();
      });

    for (const release of releases.toReversed().slice(1))
      it(`release ${release} refuses the data of later ones, and names the objects that it cannot serve`, async () => {
        const { flags } = await opened;
        const { code, stderr } = await run(
          bin,
          [
            '--naming=kubernetes',
            `--emulated-version=${release}`,
            '--secure-port=0',
            '--bind-address=127.0.0.1',
            ...flags,
            ...args,
          ],
          { timeoutMs: REFUSAL_MS },
        );
        assert.equal(code, 1, stderr);
        const later = unservedOf(release, kindsOf.get(release) ?? [], stored);
        assert.ok(later.length > 0);
        const unnamed = later.filter(
          (one) => !stderr.includes(resourceOf(one)) || !stderr.includes(one.name),
        );
        assert.deepEqual(unnamed.map(titleOf), [], stderr);
      });

    it('refused starts change nothing that the latest release reads', async () => {
      await using server = await (await opened).launch(NEWEST_RELEASE);
      await assertAllRead(server, kindsOf.get(NEWEST_RELEASE) ?? []);
    });
  });
}
