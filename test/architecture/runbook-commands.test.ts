import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { apiServerFlags } from '@orch/apiserver';
import { backupFlags, initFlags, migrateFlags, repairFlags, restoreFlags } from '@orch/orch';
import { type CommandEntry, commands, globalFlags } from '@orch/orchctl';
import type { Flag, FlagTable } from '@orch/program';
import { root } from './source-files.ts';

/** Commands of etcdctl that the runbook uses, with their flags. */
const etcdCommands: ReadonlyMap<string, readonly string[]> = new Map([
  ['alarm list', []],
  ['alarm disarm', []],
  ['compact', ['--physical']],
  ['defrag', ['--cluster']],
  ['endpoint health', []],
  ['endpoint status', ['-w']],
  ['put', ['-w']],
  ['snapshot save', []],
  ['snapshot restore', ['--data-dir']],
]);
const orchCommands: ReadonlyMap<string, FlagTable> = new Map<string, FlagTable>([
  ['backup', backupFlags],
  ['init', initFlags],
  ['migrate', migrateFlags],
  ['repair', repairFlags],
  ['restore', restoreFlags],
  ['up', apiServerFlags],
]);
/** Programs of every system, and words of the shell. */
const common = new Set(
  'cat curl cut do done echo find for grep head kill mv openssl prlimit rm sed sleep sort ss ulimit uniq until wait'.split(
    ' ',
  ),
);

/** Every command of a page: of its blocks for a shell, and of its code in sentences that begins with a program of the product. */
function commandsIn(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, text = '']) => text);
  const inline = [...page.matchAll(/`((?:kubectl|orchctl|orch|etcdctl) [^`\n]+)`/g)].map(
    ([, text = '']) => text,
  );
  return [...blocks, ...inline].flatMap(simpleCommands);
}

/** Without the content of quotes and here documents, so that only words of the shell separate commands. */
const simpleCommands = (block: string): readonly string[] =>
  block
    .replace(/<<(\w+)\n[\s\S]*?^\s*\1$/gm, '')
    .replace(/\\\n/g, ' ')
    .replace(/'[^']*'/g, 'QUOTED')
    .replace(/"\$\w+"/g, 'QUOTED')
    .replace(/"[^"$]*"/g, 'QUOTED')
    .split(/\n|;|\|\|?|&&|\$\(|\)/)
    .map((text) =>
      text
        .trim()
        .replace(/^(?:until|do|if|then|while|!)\s+/, '')
        .replace(/^\w+=\S*\s*/, '')
        .replace(/\s*[<>].*$/, ''),
    )
    .filter((text) => text !== '' && !/^\[|^for |^["QUOTED]/.test(text));

const flagsOf = (words: readonly string[]): readonly string[] =>
  words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*$/, ''));

const namesOf = (table: FlagTable): readonly string[] =>
  Object.values<Flag<unknown>>(table).flatMap(({ name, alias, short }) => [
    `--${name}`,
    ...(alias === undefined ? [] : [`--${alias}`]),
    ...(short === undefined ? [] : [`-${short}`]),
  ]);

const entryOf = (entries: readonly CommandEntry[], word: string | undefined): CommandEntry | undefined =>
  entries.find(({ name, aliases = [] }) => word !== undefined && [name, ...aliases].includes(word));

/** Why a command of orchctl, or of kubectl, whose commands and flags orchctl has, does not parse. */
async function clientProblem(words: readonly string[]): Promise<string | undefined> {
  const rest = words[0] === '-n' ? words.slice(2) : words;
  const entry = entryOf(commands, rest[0]);
  if (entry === undefined) return `no command ${rest[0]}`;
  const inner = entryOf(entry.commands ?? [], rest[1]);
  const { flags = {} } = (await (inner ?? entry).load?.()) ?? {};
  const known = new Set([...namesOf(flags), ...namesOf(globalFlags)]);
  return flagsOf(rest).find((flag) => !known.has(flag));
}

function orchProblem([command = '', ...words]: readonly string[]): string | undefined {
  const table = orchCommands.get(command);
  if (table === undefined) return `no command ${command}`;
  return flagsOf(words).find((flag) => !namesOf(table).includes(flag));
}

function etcdProblem(words: readonly string[]): string | undefined {
  const known = etcdCommands.get(words.slice(0, 2).join(' ')) ?? etcdCommands.get(words[0] ?? '');
  return known === undefined
    ? `no command ${words[0]}`
    : flagsOf(words).find((flag) => !known.includes(flag));
}

async function problemOf(command: string): Promise<string | undefined> {
  const [program = '', ...words] = command.split(/\s+/);
  switch (program) {
    case 'kubectl':
    case 'orchctl':
      return clientProblem(words);
    case 'orch':
      return orchProblem(words);
    case 'etcdctl':
      return etcdProblem(words);
    default:
      return common.has(program) ? undefined : `no program ${program}`;
  }
}

describe('commands of the runbook', () => {
  const pages = globSync('docs/runbook/*.md', { cwd: root });

  it('a command with a wrong program, command or flag is found', async () => {
    for (const wrong of [
      'kubect get pods',
      'kubectl gett pods',
      'kubectl get pods --selectr=a',
      'orch restor',
      'orch repair --dry',
      'etcdctl alarm lst',
      'etcdctl defrag --clusterwide',
    ])
      assert.notEqual(await problemOf(wrong), undefined, wrong);
    assert.deepEqual(
      simpleCommands('until etcdctl endpoint health; do sleep 0.1; done\nx=$(etcdctl put a b | cut -d: -f2)'),
      ['etcdctl endpoint health', 'sleep 0.1', 'done', 'etcdctl put a b', 'cut -d: -f2'],
    );
  });

  for (const page of pages)
    it(`${page} has only commands that parse`, async () => {
      const text = readFileSync(join(root, page), 'utf8');
      for (const [, block = ''] of text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm))
        execFileSync('sh', ['-n'], { input: block.replace(/^ {2}/gm, ''), stdio: 'pipe' });
      const problems: string[] = [];
      for (const command of commandsIn(text)) {
        const problem = await problemOf(command);
        if (problem !== undefined) problems.push(`${command}: ${problem}`);
      }
      assert.deepEqual(problems, []);
    });

  it('the runbook has commands of each program', () => {
    const all = pages.flatMap((page) => commandsIn(readFileSync(join(root, page), 'utf8')));
    for (const program of ['kubectl', 'etcdctl', 'orch', 'curl'])
      assert.ok(
        all.some((command) => command.startsWith(`${program} `)),
        program,
      );
    assert.ok(all.length > 60, `${all.length} commands`);
  });
});
