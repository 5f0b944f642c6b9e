import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { launchServerProcess, run, temporaryFolder } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'upgrade.md'), 'utf8');

/** The commands of the blocks with a name, in their order. */
const commandsOf = (name: string): string =>
  [...page.matchAll(new RegExp(`<!-- ${name} -->\n\`\`\`sh\n(.*?)\`\`\``, 'gs'))]
    .map(([, text = '']) => text)
    .join('');

describe('the page about upgrades', () => {
  it('the commands of the upgrade page work, and a restore brings back the state from before the upgrade', async () => {
    using folder = temporaryFolder();
    const cwd = folder.path;
    const dataDir = join(cwd, 'data');
    const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}` };
    const perform = async (name: string): Promise<string> => {
      const commands = `export ORCHCONFIG=$PWD/admin.conf\n${commandsOf(name)}`;
      const { code, stdout, stderr } = await run('sh', ['-exc', commands], { cwd, env, timeoutMs: 120_000 });
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const launch = async () => {
      const server = await launchServerProcess({ program: 'orch', dataDir, certDir: join(cwd, 'certs') });
      copyFileSync(server.adminConfig, join(cwd, 'admin.conf'));
      return server;
    };
    const maps = '/api/v1/namespaces/default/configmaps';
    const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    {
      await using server = await launch();
      assert.equal((await server.client.post(maps, map('before'))).status, 201);
      assert.match(await perform('before'), /readyz check passed[\s\S]*"entries":/);
      assert.ok(existsSync(join(cwd, 'before-upgrade.orchbak')));
      await server.process.stop();
    }
    {
      await using server = await launch();
      assert.match(await perform('after'), /Server Version: [\s\S]*ok[\s\S]*default/);
      assert.equal((await server.client.post(maps, map('after'))).status, 201);
      await server.process.stop();
    }
    await perform('restore');
    await using server = await launch();
    assert.equal((await server.client.get(`${maps}/before`)).status, 200);
    assert.equal((await server.client.get(`${maps}/after`)).status, 404);
  });
});
