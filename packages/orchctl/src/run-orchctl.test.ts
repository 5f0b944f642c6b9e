import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CommandEntry } from './cli/command.ts';
import { commands } from './commands/index.ts';
import { runCommandLine } from './testing/index.ts';

const all = (
  entries: readonly CommandEntry[],
  before: readonly string[] = [],
): [readonly string[], CommandEntry][] =>
  entries.flatMap((entry) => [
    [[...before, entry.name], entry] as [readonly string[], CommandEntry],
    ...all(entry.commands ?? [], [...before, entry.name]),
  ]);

describe('command lines', () => {
  it('without arguments the program lists its commands', async () => {
    const { status, out, err } = await runCommandLine([]);
    assert.deepEqual([status, err], [0, '']);
    for (const { name } of commands) assert.match(out, new RegExp(`^  ${name} `, 'm'));
  });

  for (const [path, entry] of all(commands))
    it(`"${path.join(' ')} --help" describes the command with examples`, async () => {
      const { status, out } = await runCommandLine([...path, '--help']);
      assert.equal(status, 0);
      if (entry.load === undefined) return assert.match(out, /^Commands:$/m);
      assert.match(out, new RegExp(`^Usage: orchctl ${path.join(' ')}`));
      assert.match(out, /^Examples:$/m);
      const { flags } = await entry.load();
      for (const { help, name } of Object.values(flags)) assert.match(help, /\.$/, `the help of --${name}`);
    });

  for (const [argv, message] of [
    [['versoin'], 'error: unknown command "versoin" for "orchctl"; did you mean version?'],
    [['--nonsense'], 'error: unknown flag: --nonsense'],
    [['version', '--clinet'], 'error: unknown flag: --clinet; did you mean --client?'],
    [['version', '-o', 'xml'], 'error: invalid value "xml" for --output: must be one of json, yaml, kyaml'],
    [['version', '-o'], 'error: flag needs an argument: --output'],
    [['help', 'versoin'], 'error: unknown command "versoin" for "orchctl"; did you mean version?'],
    ...['127.0.0.1:1', 'localhost:1', 'host'].map(
      (server) =>
        [
          ['get', 'pods', `--server=${server}`],
          `error: invalid value "${server}" for --server: must be a URL with its scheme, such as https://${server}`,
        ] as const,
    ),
  ] as const)
    it(`"${argv.join(' ')}" is refused with one line and exit status 2`, async () => {
      assert.deepEqual(await runCommandLine(argv), { status: 2, out: '', err: `${message}\n` });
    });

  for (const argv of [[], ['get'], ['config'], ['config', 'view']])
    it(`"help ${argv.join(' ')}" prints what --help prints`, async () => {
      const expected = await runCommandLine([...argv, '--help']);
      assert.equal(expected.status, 0);
      assert.deepEqual(await runCommandLine(['help', ...argv]), expected);
    });

  it('global flags may precede the command', async () => {
    const { status, out } = await runCommandLine([
      '-n',
      'version',
      '--context=x',
      'version',
      '--client',
      '-ojson',
    ]);
    assert.equal(status, 0);
    assert.ok(JSON.parse(out).clientVersion.gitVersion);
  });

  it('a missing client configuration is named, with exit status 1', async () => {
    const { status, err } = await runCommandLine(['api-resources'], { homeFolder: '/missing' });
    assert.deepEqual(
      [status, err],
      [
        1,
        'error: there is no client configuration (/missing/.orch/config); name one by --client-config or by the variable ORCHCONFIG or KUBECONFIG, or a server by --server\n',
      ],
    );
  });
});
