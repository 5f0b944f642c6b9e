import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run, start, temporaryFolder } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const hasScript = (await run('script', ['--version'])).code === 0;

/** Starts `orch up` on a terminal of its session, in an empty folder. */
function upOnTerminal(folder: string, ...flags: readonly string[]) {
  const command = [join(root, 'bin', 'orch'), 'up', '--secure-port=0', ...flags].join(' ');
  return start('script', ['-qefc', `exec ${command}`, '/dev/null'], { cwd: folder });
}

const isJson = (line: string): boolean => line.startsWith('{');

describe('orch up on a terminal', { skip: !hasScript && 'not found: script' }, () => {
  it('a first start prints the address, the client configuration and a command that works, and no JSON', async () => {
    using folder = temporaryFolder();
    await using server = upOnTerminal(folder.path, '--token-auth-file=/dev/null');
    await server.waitFor(/stop with Ctrl-C\r\n/, 60_000);
    const lines = server.output().split('\r\n');
    assert.match(lines[0] ?? '', /^serving on https:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(lines[1], 'admin client configuration: .orch/admin.conf');
    const [, command = ''] = /^try: (.*)$/.exec(lines[2] ?? '') ?? [];
    const answer = await run('sh', ['-c', command], { cwd: folder.path });
    assert.match(answer.stdout, /^default +Active/m);
    assert.equal(lines[3], `in a browser: ${command.replace('get namespaces', 'console')}`);
    assert.deepEqual(lines.filter(isJson), []);
    assert.deepEqual(lines.slice(5), ['']);
  });

  it('a warning is a line that people read', async () => {
    using folder = temporaryFolder();
    await using server = upOnTerminal(folder.path, '--watch-cache-sizes=pods#1');
    await server.waitFor(/stop with Ctrl-C\r\n/, 60_000);
    assert.match(server.output(), /^\d\d:\d\d:\d\d warning: [^\r{]*watch-cache-sizes[^\r{]*\r$/m);
  });

  it('--log-format=json writes JSON there, too', async () => {
    using folder = temporaryFolder();
    await using server = upOnTerminal(folder.path, '--log-format=json');
    await server.waitFor(/"controllers start"/, 60_000);
    const lines = server.output().split('\r\n');
    assert.deepEqual(
      lines.filter((line) => !isJson(line) && line !== '').slice(0, 2),
      lines.filter((line) => /^(?:serving on|admin client configuration:) /.test(line)),
    );
    assert.ok(!server.output().includes('try: '));
  });
});

describe('orch up without a terminal', () => {
  it('lines of standard error are JSON, and standard output has the two lines that scripts read', async () => {
    using folder = temporaryFolder();
    await using server = start(join(root, 'bin', 'orch'), ['up', '--secure-port=0'], { cwd: folder.path });
    await server.waitFor(/"controllers start"/, 60_000);
    const plain = server
      .output()
      .split('\n')
      .filter((line) => !isJson(line) && line !== '');
    assert.match(plain.join('\n'), /^serving on \S+\nadmin client configuration: \.orch\/admin\.conf$/);
  });

  it('--log-format=text, or the name of the flag elsewhere, writes every entry as text', async () => {
    for (const flag of ['--log-format=text', '--logging-format=text']) {
      using folder = temporaryFolder();
      await using server = start(join(root, 'bin', 'orch'), ['up', '--secure-port=0', flag], {
        cwd: folder.path,
      });
      await server.waitFor(/^\d\d:\d\d:\d\d info: controllers start \(/m, 60_000);
      assert.deepEqual(server.output().split('\n').filter(isJson), []);
    }
  });
});
