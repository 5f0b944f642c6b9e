import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { inNaming, manifest, nameOf, removedVersions, virtualKinds } from './removed-versions.ts';

/** The servers that serve the versions of a row, and do not serve them. */
const upgrades = [
  { from: '1.15', to: '1.16' },
  { from: '1.21', to: '1.22' },
  { from: '1.21', to: '1.27' },
] as const;

/** No field of these has an owner, so that managed fields do not record the version of the write. */
const ownsNoFields = new Set(['CertificateSigningRequest']);

const minor = (release: string): number => Number(release.slice(2));

/** Rows of which no two are of one kind: their objects have the same name. */
function roundsOf<Row extends { readonly kind: string }>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const rounds: Row[][] = [];
  for (const row of rows) {
    const free = rounds.find((round) => round.every(({ kind }) => kind !== row.kind));
    if (free === undefined) rounds.push([row]);
    else free.push(row);
  }
  return rounds;
}

// The longer upgrade has all kinds of the shorter one: one naming is enough for that.
for (const naming of namings)
  for (const { from, to } of upgrades.filter((one) => naming === 'kubernetes' || one.to !== '1.22')) {
    const rows = removedVersions.flatMap((row) =>
      row.kinds
        .filter((kind) => !virtualKinds.has(kind) && minor(row.release) > minor(from))
        .filter(() => minor(row.release) <= minor(to))
        .map((kind) => ({ ...row, kind, file: `${row.apiVersion.replaceAll('/', '-')}-${kind}.yaml` })),
    );

    describe(`orchctl check of a cluster from ${from} to ${to}, --naming=${naming}`, () => {
      let [older, newer] = [] as unknown as [CommandCluster, CommandCluster];
      const flags = [`--from=${from}`, `--to=${to}`];
      // The release of the cluster is the default of the first one.
      const checkCluster = () =>
        older.orchctl(['check', ...(naming === 'kubernetes' ? flags.slice(1) : flags), 'cluster']);
      before(async () => {
        [older, newer] = await Promise.all([
          commandCluster(naming, { args: [`--emulated-version=${from}`] }),
          commandCluster(naming, { args: [`--emulated-version=${to}`] }),
        ]);
        for (const row of rows)
          writeFileSync(join(older.folder, row.file), inNaming(manifest(row, row.kind), naming));
        // A fresh cluster needs no change; what the server writes itself is not reported.
        const { status, out } = await checkCluster();
        assert.deepEqual([status, out], [0, '']);
      });
      after(async () => {
        await older[Symbol.asyncDispose]();
        await newer[Symbol.asyncDispose]();
      });

      /** Stores the annotation of client-side apply, for releases without managed fields. */
      const recordApply = async (file: string, kind: string): Promise<void> => {
        const apiVersion = /^apiVersion: (.*)$/m.exec(readFileSync(join(older.folder, file), 'utf8'))?.[1];
        const key = namesFor(naming).annotations.lastApplied;
        const { status, err } = await older.orchctl([
          ...['annotate', '-f', file, `${key}=${JSON.stringify({ apiVersion, kind })}`],
        ]);
        assert.equal(status, 0, err);
      };

      for (const [index, round] of roundsOf(rows).entries())
        describe(`versions of kinds that are in the cluster together, round ${index + 1}`, () => {
          let problems: readonly string[] = [];
          before(async () => {
            for (const { file } of round) {
              const created = await older.orchctl(['create', '-f', file]);
              assert.equal(created.status, 0, created.err);
            }
            if (from === '1.15') {
              const unrecorded = await checkCluster();
              assert.match(
                unrecorded.err,
                /^Warning: \d+ objects do not record the version of their last write; /m,
              );
              for (const { file, kind } of round) await recordApply(file, kind);
            } else
              for (const { file, kind } of round.filter(({ kind: one }) => ownsNoFields.has(one)))
                await recordApply(file, kind);
            const { status, out } = await checkCluster();
            assert.equal(status, 1);
            problems = out.split('\n');
            assert.match(problems[0] ?? '', /^CLIENT +OBJECT +CHANGE +MESSAGE$/);
            // The fields of the objects are not read, so that nothing can be said about them.
            assert.doesNotMatch(out, / (?:required|refused|dropped|default) /);
            for (const { file } of round)
              assert.equal((await older.orchctl(['delete', '-f', file, '--wait=false'])).status, 0);
          });
          for (const { file, kind, apiVersion, release, replacement } of round)
            it(`${kind} of ${apiVersion} is found in the cluster, and its fixed file is accepted after the upgrade`, async () => {
              const removed = inNaming(`${apiVersion} ${kind} is not served since ${release}`, naming);
              const lines = problems.filter((line) => line.includes(removed));
              assert.equal(lines.length, 1, problems.join('\n'));
              assert.match(
                lines[0] ?? '',
                new RegExp(`^(?:orchctl|apply) +${kind} (?:default/)?${nameOf(kind)} +removed `),
              );

              const path = join(older.folder, file);
              await older.orchctl(['check', ...flags, '--fix', `--naming=${naming}`, file]);
              if (!replacement.includes('/')) return;
              writeFileSync(join(newer.folder, file), readFileSync(path));
              const accepted = await newer.orchctl(['create', '--dry-run=server', '-f', file]);
              assert.equal(accepted.status, 0, `${accepted.err}\n${readFileSync(path, 'utf8')}`);
            });
        });
    });
  }

describe('the releases of orchctl check by default', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes', { release: '1.34' });
  });
  after(() => cluster[Symbol.asyncDispose]());

  it('a check of a cluster begins at the release of the cluster, so that an earlier release is refused', async () => {
    const { status, err } = await cluster.orchctl(['check', '--to=1.30', 'cluster']);
    assert.deepEqual(
      [status, err],
      [2, 'error: --to must not be before the release of the cluster: 1.30 is before 1.34\n'],
    );
  });

  it('a check of a cluster without releases is about the newest release', async () => {
    const { status, out, err } = await cluster.orchctl(['check', 'cluster']);
    assert.deepEqual([status, out], [0, ''], err);
  });

  it('a check of files without releases is about the newest release', async () => {
    const budget = { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', metadata: { name: 'a' } };
    const { status, out } = await cluster.orchctl(['check', '-'], { input: JSON.stringify(budget) });
    assert.equal(status, 1);
    assert.match(out, /PodDisruptionBudget a .* policy\/v1/);
  });
});
