import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { NEWEST_RELEASE } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { type LaunchedServer, launchServer, observations, pythonWith } from '@orch/testkit';
import { manifestsOf, readManifests } from '../lifecycle/manifests.ts';
import { collectionOf, servedKinds } from '../lifecycle/served-kinds.ts';

const folder = join(import.meta.dirname, 'python');
const python = await pythonWith(join(folder, 'client-requirements.txt'), 'client');
const manifests = readManifests(namesFor('kubernetes'));

/** What the typed client makes of one list. */
interface TypedList {
  readonly method: string;
  readonly refused?: number;
  readonly undecoded?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly objects?: readonly string[];
  readonly changes?: readonly string[];
}

/** The client writes a time of whole seconds without a fraction; every server refuses that where it expects microseconds. */
const wholeSeconds = /expected a time such as .*000000Z.*\d\d:\d\d:\d\d\+00:00/;

/** An event without `eventTime`, which is `null` in events/v1: the client does not decode that, from any server. */
const withoutTime = 'core_v1/event.yaml';

interface ObjectList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: readonly { readonly metadata: { readonly namespace?: string; readonly name: string } }[];
}

/** The expected steps of `objects.py` in the namespace `default`. */
const steps = [
  { step: 'version', release: NEWEST_RELEASE },
  { step: 'create', strategy: 'RollingUpdate', generation: 1 },
  { step: 'exists', refused: [409, 'AlreadyExists'] },
  { step: 'strict', refused: [422, 'Invalid'] },
  { step: 'strategic merge', image: 'web:2', ports: [80] },
  { step: 'json patch', replicas: 3 },
  { step: 'stale', refused: [409, 'Conflict'] },
  { step: 'scale', replicas: 4 },
  { step: 'pages', names: ['page-0', 'page-1', 'page-2', 'page-3', 'page-4'], largest: 2 },
  { step: 'token', user: 'system:serviceaccount:default:robot' },
  { step: 'forbidden', refused: [403, 'Forbidden'] },
  { step: 'access', allowed: false },
  {
    step: 'watch',
    events: [
      ['ADDED', null],
      ['MODIFIED', { k: 'ä✓' }],
      ['DELETED', { k: 'ä✓' }],
    ],
  },
  {
    step: 'informer',
    events: [
      ['ADDED', 'first'],
      ['ADDED', 'second'],
      ['DELETED', 'first'],
    ],
    cached: ['second'],
  },
  { step: 'apply', cylinders: 4, managers: [['tour', 'Apply']] },
  { step: 'custom', names: ['one'] },
  { step: 'absent', refused: [404, 'NotFound'] },
  { step: 'discovery', kinds: ['Engine', 'MutatingAdmissionPolicy', 'Pod', 'ResourceClaim', 'ServiceCIDR'] },
  { step: 'election', won: true, again: true, holder: 'me' },
  { step: 'delete', status: 'Success', name: 'web' },
  { step: 'deleted', refused: [404, 'NotFound'] },
];

if (python.kind === 'missing') {
  describe('Kubernetes client for Python', () => {
    it.skip(`the client for Python reads and writes every kind: ${python.reason}`, () => {});
  });
} else {
  const { run } = python;

  describe('Kubernetes client for Python', { timeout: 240_000 }, () => {
    let server: LaunchedServer;
    before(async () => {
      server = await launchServer({
        naming: 'kubernetes',
        release: 'latest',
        args: [
          '--runtime-config=api/all=true',
          '--authorization-mode=RBAC',
          // Manifests name classes that are not there, and tokens that only an extension issues.
          '--disable-admission-plugins=Priority,RuntimeClass',
        ],
      });
    });
    after(() => server?.[Symbol.asyncDispose]());

    it('programs in Python write, patch, page, watch and delete objects, elect a leader, and learn of refusals', async () => {
      assert.deepEqual(
        observations(await run(join(folder, 'objects.py'), [server.adminConfig, 'default'])),
        steps,
      );
    });

    it('the client for Python decodes an object of every kind in every version, and changes none by writing it back', async () => {
      const served = (await servedKinds(server.client, NEWEST_RELEASE)).filter(
        ({ verbs, group }) => verbs.includes('list') && group !== 'tour.example.com',
      );
      const refused: string[] = [];
      for (const kind of served.filter(({ verbs }) => verbs.includes('create')))
        for (const { object, path } of manifestsOf(manifests, kind)) {
          if (path === withoutTime) continue;
          const { status, text } = await server.client.post(collectionOf(kind), object);
          if (status !== 201 && status !== 409) refused.push(`${path}: ${text}`);
        }
      assert.deepEqual(refused, []);

      const lists = observations<TypedList>(await run(join(folder, 'lists.py'), [server.adminConfig]));
      const faults = lists.flatMap(({ method, refused: code, undecoded, changes = [] }) =>
        [code, undecoded, ...changes.filter((change) => !wholeSeconds.test(change))]
          .filter((fault) => fault !== undefined)
          .map((fault) => `${method}: ${fault}`),
      );
      assert.deepEqual(faults, []);
      let found = 0;
      for (const kind of served) {
        const all = collectionOf({ ...kind, namespaced: false });
        const { kind: listKind, apiVersion, items } = (await server.client.get(all)).json as ObjectList;
        const list = lists.find((one) => one.kind === listKind && one.apiVersion === apiVersion);
        const names = items.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
        assert.deepEqual(list?.objects, names.sort(), `${apiVersion} ${listKind}`);
        if (names.length > 0) found++;
      }
      assert.ok(found > 80, String(found));
    });
  });
}
