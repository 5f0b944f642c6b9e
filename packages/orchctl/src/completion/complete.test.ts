import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCommandLine } from '../testing/index.ts';
import { completionText } from './candidate.ts';

const folder = mkdtempSync(join(tmpdir(), 'orchctl-completion-'));
after(() => rmSync(folder, { recursive: true }));
const config = join(folder, 'config');
writeFileSync(
  config,
  `apiVersion: v1
kind: Config
contexts:
- {name: test/one, context: {cluster: east, user: alice}}
- {name: two, context: {cluster: west, user: bob}}
- {name: "$(touch owned)", context: {cluster: west, user: bob}}
clusters:
- {name: east, cluster: {server: "https://127.0.0.1:1"}}
- {name: west, cluster: {server: "https://127.0.0.1:1"}}
users:
- {name: alice, user: {}}
`,
);

/** The words and the directive for a command line whose last word is at the cursor. */
async function completed(...line: readonly string[]): Promise<readonly string[]> {
  const { status, out, err } = await runCommandLine(['__complete', '--', ...line], {
    environment: { KUBECONFIG: config },
    folder,
    homeFolder: folder,
  });
  assert.deepEqual([status, err], [0, '']);
  return out
    .trimEnd()
    .split('\n')
    .map((text) => text.split('\t', 1)[0] ?? '');
}

describe('completion of command lines', () => {
  const cases: readonly [string, readonly string[], readonly string[]][] = [
    ['commands', ['api-'], ['api-resources', 'api-versions', ':words']],
    ['commands behind a global flag', ['--context', 'two', 'api-v'], ['api-versions', ':words']],
    ['commands of a group', ['auth', 'w'], ['whoami', ':words']],
    ['commands below a command that can be run itself', ['create', 'tok'], ['token', ':words']],
    ['flags of a command', ['get', '--show-l'], ['--show-labels', ':words']],
    ['global flags', ['get', '--insecure'], ['--insecure-skip-tls-verify', ':words']],
    [
      'values of a flag with few of them',
      ['delete', '--cascade='],
      [...['background', 'foreground', 'orphan', 'true', 'false'].map((one) => `--cascade=${one}`), ':words'],
    ],
    [
      'formats of output',
      ['get', '-o', 'j'],
      ['json', 'jsonpath=', 'jsonpath-as-json=', 'jsonpath-file=', ':words'],
    ],
    [
      'a format that is followed by its text',
      ['get', '-o', 'custom-columns='],
      ['custom-columns=', ':continues'],
    ],
    ['files', ['apply', '-f', ''], [':files']],
    ['files behind --flag=', ['apply', '--filename=x'], [':files']],
    ['files for the command of exec', ['exec', 'web', '--', 'ca'], [':files']],
    ['contexts', ['config', 'use-context', ''], ['test/one', 'two', ':words']],
    ['contexts of --context', ['get', '--context', 'te'], ['test/one', ':words']],
    ['clusters', ['config', 'delete-cluster', 'e'], ['east', ':words']],
    ['users', ['get', '--user', ''], ['alice', ':words']],
    ['verbs', ['auth', 'can-i', 'del'], ['delete', 'deletecollection', ':words']],
    ['shells', ['completion', ''], [':words']],
  ];
  for (const [title, line, expected] of cases)
    it(`words at the cursor are completed: ${title}`, async () => {
      assert.deepEqual(await completed(...line), expected);
    });

  it('a server that cannot be reached, an unknown flag and an unknown command give no words and no message', async () => {
    assert.deepEqual(await completed('get', ''), [':words']);
    assert.deepEqual(await completed('get', '--nonsense', 'p'), [':words']);
    assert.deepEqual(await completed('nonsense', 'p'), [':words']);
    assert.deepEqual(await completed(''), [...(await completed('')).slice(0, -1), ':words']);
  });

  it('words with characters that a shell or a terminal interprets are not offered', () => {
    const hostile = [
      '$(reboot)',
      '`x`',
      'a b',
      'a;b',
      "a'b",
      'a"b',
      'a\nb',
      'a\\b',
      '\u001b[2J',
      'a*',
      'plain-1.2:3',
    ];
    const text = completionText({ candidates: hostile.map((word) => ({ word })) }, '');
    assert.equal(text, 'plain-1.2:3\n:words\n');
  });
});
