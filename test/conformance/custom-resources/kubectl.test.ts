import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  buildGoProgram,
  goModule,
  type Kubectl,
  type LaunchedServer,
  launchServer,
  representativeKubectls,
  temporaryFolder,
} from '@orch/testkit';
import { KubectlSession } from '../kubectl-session.ts';
import { database, databaseDefinition, GROUP } from './databases.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** kubectl of the release that the Go module requires, which is newer than those of distributions. */
const fromModule = await buildGoProgram(join(import.meta.dirname, '..', 'go', 'kubectl'));
const kubectls: readonly Kubectl[] = [
  ...(await representativeKubectls(root)),
  ...(fromModule.kind === 'built' ? [{ path: fromModule.program.path, release: releaseOfModule() }] : []),
];

function releaseOfModule(): string {
  const requirements = readFileSync(join(goModule, 'go.mod'), 'utf8');
  const [, minor] = /k8s\.io\/kubectl v0\.(\d+)\./.exec(requirements) ?? [];
  assert.ok(minor !== undefined, 'go.mod requires kubectl');
  return `1.${minor}`;
}

const WAIT_MS = 20_000;

if (fromModule.kind === 'missing') {
  describe('kubectl of the Go module with custom resources', () => {
    it.skip(`kubectl of the Go module works with custom resources: ${fromModule.reason}`, () => {});
  });
}

const lines = (text: string): readonly string[] => text.trim().split('\n');
/** The cells of the rows of a table. */
const cells = (table: string): readonly (readonly string[])[] =>
  lines(table).map((row) => row.split(/\s{2,}/));

const crd = `crd/databases.${GROUP}`;
const namespace = 'shop';
const path = (name: string): string => `/apis/${GROUP}/v1/namespaces/${namespace}/databases/${name}`;

describe('kubectl with custom resources', { timeout: 240_000, concurrency: true }, () => {
  for (const kubectl of kubectls) {
    const { release } = kubectl;

    describe(`kubectl ${release}`, { concurrency: false }, () => {
      const home = temporaryFolder();
      let server: LaunchedServer;
      let k: KubectlSession;

      before(async () => {
        server = await launchServer({ naming: 'kubernetes', args: ['--authorization-mode=RBAC'] });
        k = await KubectlSession.open(kubectl, server, home.path, namespace);
      });
      after(async () => {
        await server[Symbol.asyncDispose]();
        home[Symbol.dispose]();
      });

      it(`kubectl ${release} waits until a definition is established, and lists its resource`, async () => {
        assert.match(await k.apply(databaseDefinition), /created/);
        assert.match(await k.ok('wait', '--for=condition=Established', crd), /condition met/);
        const [, row] = cells(await k.ok('api-resources', `--api-group=${GROUP}`));
        assert.deepEqual(row, ['databases', 'db', `${GROUP}/v1`, 'true', 'Database']);
        assert.ok(lines(await k.ok('api-versions')).includes(`${GROUP}/v1`));
      });

      it(`kubectl ${release} applies custom resources, and says which field is wrong`, async () => {
        const spec = { engine: 'postgres', replicas: 3, owner: 'shop', users: [{ name: 'a', role: 'r' }] };
        const wanted = { name: 'one', spec, labels: { tier: 'a' } };
        assert.match(await k.apply(database(wanted)), /database\S* ?\S*one created/);
        assert.match(await k.apply(database(wanted)), /unchanged/);
        assert.match(await k.apply(database({ name: 'two', spec: { engine: 'mysql' } })), /two created/);
        const invalid = await k.raw(
          ['apply', '-f', '-'],
          database({ name: 'no', spec: { engine: 'mysql', replicas: -1 } }),
        );
        assert.equal(invalid.code, 1);
        assert.match(invalid.stderr, /spec\.replicas/);
        const unknown = await k.raw(
          ['apply', '-f', '-'],
          database({ name: 'no', spec: { engine: 'mysql', size: 1 } }),
        );
        assert.equal(unknown.code, 1);
        assert.match(unknown.stderr, /size/);
      });

      it(`kubectl ${release} get prints the columns of a definition, and sorts by fields`, async () => {
        const table = cells(await k.ok('get', 'db'));
        assert.deepEqual(table[0], ['NAME', 'ENGINE', 'REPLICAS', 'READY', 'AGE']);
        assert.deepEqual(
          table.slice(1).map((row) => row.slice(0, 3)),
          [
            ['one', 'postgres', '3'],
            ['two', 'mysql', '1'],
          ],
        );
        const wide = cells(await k.ok('get', 'databases', '-o', 'wide'));
        assert.deepEqual(wide[0], ['NAME', 'ENGINE', 'REPLICAS', 'READY', 'OWNER', 'AGE']);
        assert.match(await k.ok('get', 'storage', '-o', 'name'), /one\n.*two/);
        assert.match(await k.ok('get', 'all'), /^database\S+\/one\s/m);
        const sorted = await k.ok('get', 'db', '--sort-by=.spec.replicas', '-o', 'name');
        assert.match(sorted, /two\n.*one/);
      });

      it(`kubectl ${release} selects custom resources by label and by the selectable fields of a definition`, async () => {
        const name = async (...args: string[]): Promise<string> =>
          (await k.ok('get', 'database', '-o', 'name', ...args)).trim();
        assert.match(await name('-l', 'tier=a'), /^\S+\/one$/);
        assert.match(await name('-l', '!tier'), /^\S+\/two$/);
        assert.match(await name('--field-selector', 'spec.engine=mysql'), /^\S+\/two$/);
        assert.match(await name('--field-selector', 'metadata.name=one,spec.engine!=mysql'), /^\S+\/one$/);
        const other = await k.raw(['get', 'db', '--field-selector', 'spec.owner=shop']);
        assert.equal(other.code, 1);
        assert.match(other.stderr, /field label not supported: "?spec\.owner/);
      });

      it(`kubectl ${release} explain shows the fields of a definition with their descriptions`, async () => {
        const spec = await k.ok('explain', 'databases.spec', `--api-version=${GROUP}/v1`);
        for (const part of [
          /The wanted state/,
          /engine\t<string> -required-/,
          /The program that stores the data/,
        ])
          assert.match(spec, part);
        const page = await k.ok('explain', 'databases', '--recursive', `--api-version=${GROUP}/v1`);
        for (const field of ['metadata', 'engine', 'users', 'role', 'conditions', 'lastTransitionTime'])
          assert.match(page, new RegExp(`^\\s+${field}\\t`, 'm'));
      });

      it(`kubectl ${release} apply --server-side reports conflicts, and takes fields over by force`, async () => {
        const three = (spec: object): object => database({ name: 'three', spec });
        const apply = (spec: object, ...args: string[]) =>
          k.raw(['apply', '--server-side', '-f', '-', ...args], three(spec));
        const first = await apply(
          { engine: 'mysql', users: [{ name: 'a', role: 'x' }] },
          '--field-manager=first',
        );
        assert.equal(first.code, 0, first.stderr);
        const shared = await apply({ engine: 'mysql', users: [{ name: 'b' }] }, '--field-manager=second');
        assert.equal(shared.code, 0, shared.stderr);
        const conflict = await apply({ engine: 'postgres' }, '--field-manager=second');
        assert.equal(conflict.code, 1);
        assert.match(conflict.stderr, /conflict with "first"[^\n]*: \.spec\.engine/);
        const forced = await apply({ engine: 'postgres' }, '--field-manager=second', '--force-conflicts');
        assert.equal(forced.code, 0, forced.stderr);
        const { spec } = await k.get('db', 'three');
        assert.deepEqual(spec, { engine: 'postgres', replicas: 1, users: [{ name: 'a', role: 'x' }] });
      });

      it(`kubectl ${release} patches custom resources by merge and JSON patches, not by strategic ones`, async () => {
        await k.ok('patch', 'db', 'two', '--type=merge', '-p', '{"spec":{"owner":"shop","replicas":2}}');
        await k.ok('patch', 'db', 'two', '--type=json', '-p', '[{"op":"remove","path":"/spec/owner"}]');
        assert.deepEqual((await k.get('db', 'two')).spec, { engine: 'mysql', replicas: 2 });
        const strategic = await k.raw(['patch', 'db', 'two', '-p', '{"spec":{"replicas":9}}']);
        assert.equal(strategic.code, 1);
        assert.match(
          strategic.stderr,
          /accepted media types include: application\/json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml/,
        );
      });

      it(`kubectl ${release} edit, label and annotate change custom resources`, async () => {
        const edited = await k.edit('sed -i "s/replicas: 2/replicas: 4/" "$1"', 'db/two');
        assert.match(edited.stdout, /edited/, edited.stderr);
        // The editor is opened again with the reasons: what it is given then is left unchanged, which ends the command.
        const wrong = await k.edit(
          'grep -q "^# .*spec.engine" "$1" || sed -i "s/engine: mysql/engine: oracle/" "$1"',
          'db/two',
        );
        assert.equal(wrong.code, 1);
        assert.match(wrong.stderr, /is invalid[\s\S]*no valid changes were saved/);
        await k.ok('label', 'db', 'two', 'tier=b');
        await k.ok('annotate', 'db', 'two', 'note=x');
        const { metadata, spec } = await k.get('db', 'two');
        assert.deepEqual([metadata.labels, metadata.annotations.note], [{ tier: 'b' }, 'x']);
        assert.deepEqual(spec, { engine: 'mysql', replicas: 4 });
      });

      it(`kubectl ${release} scale reads and writes the scale of a custom resource`, async () => {
        assert.match(await k.ok('scale', 'db/two', '--replicas=5', '--current-replicas=4'), /scaled/);
        const { metadata, spec } = await k.get('db', 'two');
        assert.equal(spec.replicas, 5);
        assert.equal(
          metadata.generation,
          5,
          'one generation for each change of the spec: patches, edit, scale',
        );
        const stale = await k.raw(['scale', 'db/two', '--replicas=6', '--current-replicas=4']);
        assert.equal(stale.code, 1);
        assert.match(stale.stderr, /Expected replicas to be 4, was 5/);
      });

      it(`kubectl ${release} wait returns on a condition and on the deletion of a custom resource`, async () => {
        await using ready = k.start('wait', '--for=condition=Ready', 'db/two', '--timeout=20s', '-v=6');
        await ready.waitFor(/databases[^\n]*200 OK/, WAIT_MS);
        const status = { replicas: 5, conditions: [{ type: 'Ready', status: 'True' }] };
        const written = await server.client.send('PATCH', `${path('two')}/status`, {
          body: { status, spec: { replicas: 0 } },
          contentType: 'application/merge-patch+json',
        });
        assert.equal(written.status, 200, written.text);
        await ready.waitFor(/condition met/, WAIT_MS);
        const [, row] = cells(await k.ok('get', 'db', 'two'));
        assert.deepEqual(row?.slice(0, 4), ['two', 'mysql', '5', 'True']);
        await using gone = k.start('wait', '--for=delete', 'db/three', '--timeout=20s', '-v=6');
        await gone.waitFor(/databases[^\n]*200 OK/, WAIT_MS);
        assert.match(await k.ok('delete', 'db', 'three'), /deleted/);
        await gone.waitFor(/condition met/, WAIT_MS);
      });

      it(`kubectl ${release} auth can-i answers by the roles over a custom resource`, async () => {
        const canI = async (...args: string[]): Promise<string> =>
          (await k.raw(['auth', 'can-i', ...args])).stdout.trim();
        await k.ok('create', 'role', 'reader', '--verb=get,list', `--resource=databases.${GROUP}`);
        await k.ok('create', 'rolebinding', 'reader', '--role=reader', '--user=jane');
        assert.equal(await canI('delete', `databases.${GROUP}`), 'yes');
        assert.equal(await canI('get', `databases.${GROUP}`, '--as=jane'), 'yes');
        assert.equal(await canI('delete', `databases.${GROUP}`, '--as=jane'), 'no');
        const refused = await k.raw(['delete', 'db', 'one', '--as=jane']);
        assert.match(refused.stderr, /"jane" cannot delete resource "databases" in API group/);
        assert.match(await k.ok('get', 'db', '--as=jane', '-o', 'name'), /one/);
      });

      it(`kubectl ${release} delete crd deletes all custom resources, and ends their watches`, async () => {
        await using watch = k.start('get', 'db', '-w', '--output-watch-events');
        const ended = once(watch.child, 'close');
        await watch.waitFor(/^ADDED\s+two\s/m, WAIT_MS);
        await k.ok('scale', 'db/two', '--replicas=7');
        await watch.waitFor(/^MODIFIED\s+two\s+mysql\s+7\s/m, WAIT_MS);
        assert.match(await k.ok('delete', crd), /deleted/);
        await ended;
        for (const name of ['one', 'two'])
          assert.match(watch.output(), new RegExp(`^DELETED\\s+${name}\\s`, 'm'));
        assert.equal((await server.client.get(path('one'))).status, 404);
        assert.match((await k.raw(['get', crd])).stderr, /NotFound/);
        assert.equal(lines(await k.ok('api-resources', `--api-group=${GROUP}`)).length, 1);
      });
    });
  }
});
