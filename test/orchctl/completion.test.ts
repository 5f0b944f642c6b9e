import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run } from '@orch/testkit';
import { type CommandCluster, commandCluster } from './cluster.ts';

const programs = join(import.meta.dirname, '..', '..', 'bin');

/** Where a shell is on this machine; undefined for one that is not installed. */
function shellPath(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

const separator = '\x01';

/** For each shell, a program that loads the script and prints what the shell offers for a command line. */
const programsOf: Readonly<Record<string, (line: string) => readonly string[]>> = {
  bash: (line) => [
    '--norc',
    '-c',
    `source <(orchctl completion bash)
complete -p orchctl >/dev/null || exit 1
IFS=$'\\x01' read -r -a COMP_WORDS <<<"$1"
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
[[ $1 == *$'\\x01' ]] && COMP_WORDS+=('') && COMP_CWORD=$((COMP_CWORD + 1))
_orchctl
printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    // The shell itself splits words at these characters, too.
    line
      .split(/ |([=:])/)
      .filter((part) => part !== undefined)
      .join(separator),
  ],
  zsh: (line) => [
    '-f',
    '-c',
    `autoload -Uz compinit && compinit -D -u
source <(orchctl completion zsh)
[[ \${_comps[orchctl]} == _orchctl ]] || exit 1
compadd() { [[ "$*" == *' -a found' ]] && print -rl -- $found }
_files() { print -rl -- *(N) }
words=("\${(@s: :)1}")
CURRENT=\${#words}
_orchctl`,
    'zsh',
    line,
  ],
  fish: (line) => [
    '--no-config',
    '-c',
    `orchctl completion fish | source
complete -C $argv[1] | string replace -r '\\t.*' ''; or true`,
    line,
  ],
};

describe('completion in shells', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1', namespace: 'default' },
      spec: {
        containers: [
          { name: 'first', image: 'a' },
          { name: 'second', image: 'b' },
        ],
      },
    };
    writeFileSync(join(cluster.folder, 'pod.json'), JSON.stringify(pod));
    assert.equal((await cluster.orchctl(['apply', '-f', 'pod.json'])).status, 0);
  });
  after(() => cluster[Symbol.asyncDispose]());

  const cases: readonly [string, string, readonly string[]][] = [
    ['commands', 'orchctl api-res', ['api-resources']],
    ['types from the server', 'orchctl get endp', ['endpoints', 'endpointslices']],
    ['names from the server', 'orchctl get pods we', ['web-1']],
    ['namespaces of a flag', 'orchctl get pods -n kube-sy', ['kube-system']],
    ['containers of a pod', 'orchctl logs web-1 -c s', ['second']],
    ['files', 'orchctl apply -f po', ['pod.json']],
  ];

  for (const [shell, programOf] of Object.entries(programsOf)) {
    const path = shellPath(shell);
    const skip = path === undefined && `${shell} is not installed`;
    it(`${shell} completes words from the server and files`, { skip }, async () => {
      // Every shell calls the same program: one of them completes all cases.
      for (const [title, line, expected] of shell === 'bash' ? cases : cases.slice(-3)) {
        const { code, stdout, stderr } = await run(path ?? '', [...programOf(line)], {
          cwd: cluster.folder,
          env: {
            PATH: `${programs}${delimiter}${process.env['PATH']}`,
            HOME: cluster.folder,
            KUBECONFIG: cluster.server.adminConfig,
          },
        });
        assert.deepEqual(
          [stdout.split('\n').filter((one) => one !== ''), stderr, code],
          [expected, '', 0],
          title,
        );
      }
    });
  }

  it('bash takes off what stands before = and : in a word', async () => {
    const program = programsOf['bash']?.('orchctl get pods --output=js') ?? [];
    const { stdout } = await run('bash', [...program], {
      cwd: cluster.folder,
      env: { PATH: `${programs}${delimiter}${process.env['PATH']}`, HOME: cluster.folder },
    });
    assert.deepEqual(stdout.trim().split('\n'), ['json', 'jsonpath=', 'jsonpath-as-json=', 'jsonpath-file=']);
  });
});
