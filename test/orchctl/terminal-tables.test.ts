import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { builtPrograms } from './programs.ts';
import { inTerminal, noTerminal } from './terminal-session.ts';

const noPty = await noTerminal();

const image = 'registry.example.com/a-team/with/a-rather-long-path/to-the-image:v1.2.3';
const pods = '/api/v1/namespaces/default/pods';

/** Ages and their widths differ from run to run. */
const settled = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(/\b(?:\d+m)?\d+s(?:( ) +|$)/gm, 'AGE$1$1$1$1');

const red = (text: string): string => `\u001b[31m${text}\u001b[0m`;
const yellow = (text: string): string => `\u001b[33m${text}\u001b[0m`;
const bold = (text: string): string => `\u001b[1m${text}\u001b[0m`;

describe('tables in a terminal', { timeout: 300_000 }, () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('orch');
    for (const name of ['waits', 'crashes'])
      assert.equal(
        (
          await cluster.server.client.post(pods, {
            metadata: { name, labels: { note: 'a-label-that-takes-a-part-of-the-line' } },
            spec: { containers: [{ name: 'c', image }] },
          })
        ).status,
        201,
      );
    const waiting = { reason: 'CrashLoopBackOff', message: 'again' };
    const containerStatuses = [
      { name: 'c', image, imageID: '', ready: false, restartCount: 3, state: { waiting } },
    ];
    const status = await cluster.server.client.send('PATCH', `${pods}/crashes/status`, {
      body: { status: { phase: 'Running', containerStatuses } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    assert.equal(status.status, 200, status.text);
    const event = await cluster.server.client.post('/api/v1/namespaces/default/events', {
      metadata: { name: 'hostile' },
      involvedObject: { kind: 'Pod', name: 'waits', namespace: 'default' },
      ...{ type: 'Warning', reason: 'Test', message: 'before\u001b[2Jafter\u009b31m' },
    });
    assert.equal(event.status, 201, event.text);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  it('no line of a table, an answer or a help is wider than a terminal of 80 columns', async () => {
    for (const argv of [
      ['api-resources'],
      ['get', 'pods', '-A', '--show-labels'],
      ['get', 'flowschemas'],
      ['events', '-A'],
      ['why', 'pod', 'waits'],
      ['config', 'get-contexts'],
      ['apply', '--help'],
      ['--help'],
    ]) {
      const { status, out, err } = await cluster.orchctl([...argv, '--color=never'], { columns: 80 });
      assert.equal(status, 0, err);
      const long = out.split('\n').filter((line) => [...line].length > 80);
      assert.deepEqual(long, [], argv.join(' '));
    }
  });

  it('a wide table is complete in a terminal of 80 columns, as in a pipe', async () => {
    const argv = ['get', 'pods', '--show-labels', '-o', 'wide'];
    const { out } = await cluster.orchctl([...argv, '--color=never'], { columns: 80 });
    const piped = await cluster.orchctl(argv);
    // Ages are as wide as their numbers.
    const cells = (text: string) => settled(text).replaceAll(/ +/g, ' ');
    assert.equal(cells(out), cells(piped.out));
    assert.match(out, /NOMINATED NODE/);
    assert.match(out, /note=a-label-that-takes-a-part-of-the-line$/m);
  });

  const withHarmlessValue = (out: string, argv: readonly string[]): void => {
    assert.match(out, /before.{1,6}\[2Jafter/, argv.join(' '));
    assert.equal(out.includes('\u001b') || out.includes('\u009b'), false, argv.join(' '));
  };

  it('sequences of terminals in values stay harmless', async () => {
    for (const argv of [
      ['get', 'events'],
      ['events'],
      ['get', 'events', '-o', 'custom-columns=MESSAGE:.message'],
      ['get', 'events', '-o', 'jsonpath={.items[*].message}'],
      ['get', 'events', '-o', 'json'],
      ['get', 'events', '-o', 'yaml'],
    ]) {
      const { out } = await cluster.orchctl([...argv, '--color=never'], { columns: 200 });
      withHarmlessValue(out, argv);
    }
    const raw = ['get', 'events', '-o', 'jsonpath={.items[*].message}'];
    const { out } = await cluster.orchctl(raw);
    assert.equal(out, 'before\u001b[2Jafter\u009b31m', 'what is not a terminal gets the value as it is');
  });

  for (const program of builtPrograms)
    describe(`get in a session with ${program.name}`, { skip: noPty || program.skip }, () => {
      const get = async (columns: number, ...flags: string[]): Promise<string> => {
        const argv = [
          'get',
          'pods',
          '--show-labels',
          `--client-config=${cluster.server.adminConfig}`,
          ...flags,
        ];
        const { status, out } = await inTerminal(program, argv, { columns });
        assert.equal(status, 0, out);
        return settled(out);
      };

      const wide = [
        'NAME      READY   STATUS             RESTARTS   AGE   LABELS',
        'crashes   0/1     CrashLoopBackOff   3          AGE    note=a-label-that-takes-a-part-of-the-line',
        'waits     0/1     Pending            0          AGE    note=a-label-that-takes-a-part-of-the-line',
      ];
      const narrow = [
        'NAME      READY   STATUS             RESTARTS   AGE   LABELS',
        'crashes   0/1     CrashLoopBackOff   3          AGE    note=a-label-that-takes-a…',
        'waits     0/1     Pending            0          AGE    note=a-label-that-takes-a…',
      ];
      const inColors = ([header = '', ...lines]: readonly string[]): string =>
        [bold(header), ...lines]
          .map((line) => `${line}\n`)
          .join('')
          .replace('CrashLoopBackOff', red('CrashLoopBackOff'))
          .replace('Pending', yellow('Pending'));

      for (const [columns, lines] of [
        [80, narrow],
        [200, wide],
      ] as const) {
        it(`${program.name}: a session of ${columns} columns has colors`, async () => {
          assert.equal(await get(columns), inColors(lines));
        });
        it(`${program.name}: a session of ${columns} columns has no colors with --color=never`, async () => {
          assert.equal(await get(columns, '--color=never'), lines.map((line) => `${line}\n`).join(''));
        });
      }

      it(`${program.name}: sequences of terminals in a value stay harmless in a session`, async () => {
        const argv = ['get', 'events', '-o', 'jsonpath={.items[*].message}'];
        const config = [`--client-config=${cluster.server.adminConfig}`, '--color=never'];
        const { status, out } = await inTerminal(program, [...argv, ...config], { columns: 200 });
        assert.equal(status, 0, out);
        withHarmlessValue(out, argv);
      });

      it(`${program.name}: work on many objects shows its progress, which is gone at the end`, async () => {
        const file = join(cluster.folder, 'maps.yaml');
        const maps = Array.from({ length: 12 }, (_, i) => ({
          ...{ apiVersion: 'v1', kind: 'ConfigMap' },
          metadata: { name: `map-${i}` },
        }));
        writeFileSync(file, maps.map((one) => JSON.stringify(one)).join('\n---\n'));
        for (const [verb, counted] of [
          ['apply', 'applied'],
          ['delete', 'deleted'],
        ] as const) {
          const argv = [verb, '-f', file, `--client-config=${cluster.server.adminConfig}`];
          const { status, out } = await inTerminal(program, argv, { columns: 80 });
          assert.equal(status, 0, out);
          assert.ok(out.includes(`\r7/12 ${counted}\u001b[K`), out);
          assert.ok(out.endsWith('\r\u001b[K'), JSON.stringify(out));
          const lines = out.split('\r\n').filter((line) => line.includes('map-'));
          assert.equal(lines.length, 12, out);
        }
      });
    });
});
