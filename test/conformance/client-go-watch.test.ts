import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startEtcd } from '@orch/storage/testing';
import { buildGoProgram, type LaunchedServer, launchServer, observations } from '@orch/testkit';

const retryWatch = await buildGoProgram(join(import.meta.dirname, 'go', 'retry-watch'));
const configMaps = '/api/v1/namespaces/default/configmaps';

interface Observed {
  readonly type?: string;
  readonly name?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly gaveUp?: boolean;
  readonly requests?: readonly { readonly status: number }[];
}

if (retryWatch.kind === 'missing') {
  describe('RetryWatcher of client-go', () => {
    it.skip(`the RetryWatcher of client-go stops when its history is compacted: ${retryWatch.reason}`, () => {});
  });
} else {
  const { program } = retryWatch;

  describe('RetryWatcher of client-go', { timeout: 120_000 }, () => {
    const certDir = mkdtempSync(join(tmpdir(), 'orch-certs-'));
    let etcd: Awaited<ReturnType<typeof startEtcd>>;
    let writer: LaunchedServer;
    let server: LaunchedServer;
    let compacted = '';
    let kept = '';

    const created = async (name: string): Promise<string> => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      const answer = await writer.client.post(configMaps, object);
      assert.equal(answer.status, 201, answer.text);
      return (answer.json as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    };

    before(async () => {
      etcd = await startEtcd();
      const options = { naming: 'kubernetes', release: 'latest', etcd: etcd.endpoints, certDir } as const;
      writer = await launchServer(options);
      compacted = await created('a');
      await created('b');
      kept = await created('c');
      const compaction = await fetch(`${etcd.endpoints[0]}/v3/kv/compaction`, {
        method: 'POST',
        body: JSON.stringify({ revision: kept }),
      });
      assert.equal(compaction.status, 200, await compaction.text());
      await created('d');
      // A replica that starts after the compaction has no history from before it.
      server = await launchServer(options);
    });
    after(async () => {
      await Promise.all([server, writer].map((one) => one?.[Symbol.asyncDispose]()));
      await etcd[Symbol.asyncDispose]();
      rmSync(certDir, { recursive: true, force: true });
    });

    for (const form of ['json', 'protobuf', 'metadata']) {
      it(`the RetryWatcher of client-go stops after one request when its history is compacted, reading ${form}`, async () => {
        const seen = observations<Observed>(await program.run(server, [form, 'default', compacted, '9']));
        assert.deepEqual(seen.slice(0, -1), [{ type: 'ERROR', code: 410, reason: 'Expired' }]);
        const { gaveUp, requests = [] } = seen.at(-1) ?? {};
        assert.equal(gaveUp, true);
        assert.deepEqual(
          requests.map(({ status }) => status),
          [200],
        );
      });
    }

    it('the RetryWatcher of client-go continues from a revision whose history is kept', async () => {
      const seen = observations<Observed>(await program.run(server, ['json', 'default', kept, '1']));
      assert.deepEqual(
        seen.slice(0, -1).map(({ type, name }) => `${type} ${name}`),
        ['ADDED d'],
      );
      assert.equal(seen.at(-1)?.gaveUp, false);
    });
  });
}
