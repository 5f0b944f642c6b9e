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

const minor = (release: string): number => Number(release.slice(2));

for (const naming of namings)
  for (const { from, to } of upgrades) {
    const rows = removedVersions.flatMap((row) =>
      row.kinds
        .filter((kind) => !virtualKinds.has(kind) && minor(row.release) > minor(from))
        .filter(() => minor(row.release) <= minor(to))
        .map((kind) => ({ ...row, kind, file: `${row.apiVersion.replaceAll('/', '-')}-${kind}.yaml` })),
    );

    describe(`orchctl check of a cluster from ${from} to ${to}, --naming=${naming}`, () => {
      let [older, newer] = [] as unknown as [CommandCluster, CommandCluster];
      before(async () => {
        [older, newer] = await Promise.all([
          commandCluster(naming, { args: [`--emulated-version=${from}`] }),
          commandCluster(naming, { args: [`--emulated-version=${to}`] }),
        ]);
        for (const row of rows)
          writeFileSync(join(older.folder, row.file), inNaming(manifest(row, row.kind), naming));
        // A fresh cluster needs no change; what the server writes itself is not reported.
        const { status, out } = await older.orchctl(['check', `--from=${from}`, `--to=${to}`, 'cluster']);
        assert.deepEqual([status, out], [0, '']);
      });
      after(async () => {
        await older[Symbol.asyncDispose]();
        await newer[Symbol.asyncDispose]();
      });

      /** What client-side apply stores, for releases without managed fields. */
      const recordApply = async (file: string, kind: string): Promise<void> => {
        const apiVersion = /^apiVersion: (.*)$/m.exec(readFileSync(join(older.folder, file), 'utf8'))?.[1];
        const key = namesFor(naming).annotations.lastApplied;
        const unrecorded = await older.orchctl(['check', `--from=${from}`, `--to=${to}`, 'cluster']);
        assert.match(
          unrecorded.err,
          /^Warning: \d+ objects do not record the version of their last write; /m,
        );
        const { status, err } = await older.orchctl([
          ...['annotate', '-f', file, `${key}=${JSON.stringify({ apiVersion, kind })}`],
        ]);
        assert.equal(status, 0, err);
      };

      for (const { file, kind, apiVersion, release, replacement } of rows)
        it(`${kind} of ${apiVersion} is found in the cluster, and its fixed file is accepted after the upgrade`, async () => {
          const flags = [`--from=${from}`, `--to=${to}`];
          const created = await older.orchctl(['create', '-f', file]);
          assert.equal(created.status, 0, created.err);
          if (from === '1.15') await recordApply(file, kind);
          const { status, out } = await older.orchctl(['check', ...flags, 'cluster']);
          assert.equal(status, 1);
          const removed = inNaming(`${apiVersion} ${kind} is not served since ${release}`, naming);
          const lines = out.split('\n').filter((line) => line.includes(removed));
          assert.equal(lines.length, 1, out);
          assert.match(
            lines[0] ?? '',
            new RegExp(`^(?:orchctl|apply):1 +${kind} (?:default/)?${nameOf(kind)} +removed `),
          );
          assert.equal((await older.orchctl(['delete', '-f', file, '--wait=false'])).status, 0);

          const path = join(older.folder, file);
          await older.orchctl(['check', ...flags, '--fix', `--naming=${naming}`, file]);
          if (!replacement.includes('/')) return;
          writeFileSync(join(newer.folder, file), readFileSync(path));
          const accepted = await newer.orchctl(['create', '--dry-run=server', '-f', file]);
          assert.equal(accepted.status, 0, `${accepted.err}\n${readFileSync(path, 'utf8')}`);
        });
    });
  }
