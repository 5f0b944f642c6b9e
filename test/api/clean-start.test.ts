import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { startEtcd } from '@orch/storage/testing';
import { alarmingLines, launchServerProcess, start } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const work = mkdtempSync(join(tmpdir(), 'orch-start-'));
after(() => rmSync(work, { recursive: true, force: true }));

describe('a start with nothing unusual logs no warnings', () => {
  for (const naming of namings) {
    it(`a start of the whole control plane in one process with ${naming} names logs no warnings`, async () => {
      await using server = await launchServerProcess({ program: 'orch', naming });
      await server.process.waitFor(/"controller works".*"garbagecollector"/, 30_000);
      assert.equal((await server.client.get('/readyz')).status, 200);
      assert.deepEqual(alarmingLines(server.process.output()), []);
    });

    it(`a start of a server on etcd and a controller manager with ${naming} names logs no warnings`, async () => {
      await using etcd = await startEtcd();
      const config = join(work, `${naming}.conf`);
      await using server = await launchServerProcess({
        naming,
        etcd: etcd.endpoints,
        args: ['--authorization-mode=RBAC', `--controller-manager-config=${config}`],
      });
      await using manager = start(join(root, 'bin', 'orch-controller-manager'), [
        `--naming=${naming}`,
        `--client-config=${config}`,
        '--use-service-account-credentials',
      ]);
      await manager.waitFor(/"controller works".*"garbagecollector"/, 30_000);
      assert.deepEqual(alarmingLines(server.process.output()), []);
      assert.deepEqual(alarmingLines(manager.output()), []);
    });
  }
});
