import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type NodeCluster, nodeCluster } from './node-cluster.ts';
import { builtPrograms } from './programs.ts';
import { inTerminal, noTerminal } from './terminal-session.ts';

const noPty = await noTerminal();

for (const program of builtPrograms)
  describe(`exec in a terminal with ${program.name}`, {
    timeout: 60_000,
    skip: noPty || program.skip,
  }, () => {
    let cluster: NodeCluster;
    before(async () => {
      cluster = await nodeCluster('orch', () => 1, {
        runOther([name], streams) {
          if (name !== 'keys') return false;
          streams.out(Buffer.from('ready\r\n'));
          streams.onInput = (data) => {
            streams.out(Buffer.from(`<${data?.toString('hex')}>`));
            if (data?.includes('q')) streams.finish({ metadata: {}, status: 'Success' });
          };
          return true;
        },
      });
    });
    after(() => cluster?.[Symbol.asyncDispose]());

    const exec = (command: string, keys: readonly (readonly [string, string])[] = []) =>
      inTerminal(
        program,
        ['exec', '-it', 'one', `--client-config=${cluster.server.adminConfig}`, '--', command],
        { columns: 91, rows: 17, keys },
      );

    it(`${program.name} passes keys on as they are typed, Ctrl-C included, and restores the terminal`, async () => {
      const { out, status, isRestored } = await exec('keys', [
        ['ready', 'a'],
        ['<61>', '\u0003'],
        ['<03>', 'q'],
      ]);
      assert.deepEqual([status, isRestored], [0, true], out);
      assert.match(out, /<61><03><71>/);
    });

    it(`${program.name} sends the size of the terminal to the container`, async () => {
      const { out, status } = await exec('size');
      assert.deepEqual([status, out], [0, '91x17\r\n']);
    });
  });
