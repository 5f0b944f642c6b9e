import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type CommandEntry, commands, globalFlags } from '@orch/orchctl';
import type { Flag } from '@orch/program/flags';
import { findKubectls, run } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');

/** The flags of a command of kubectl, with their letters; those without one have an empty text. */
type KubectlFlags = ReadonlyMap<string, string>;

/** The commands of a release of kubectl with their flags, `create role` after `create`, as its help lists them. */
const record: { readonly release: string; readonly flags: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'kubectl-flags.json'), 'utf8'),
);
const recorded: ReadonlyMap<string, KubectlFlags> = new Map(
  Object.entries(record.flags).map(([name, flags]) => [name, readFlags(flags)]),
);

/** Reads `n/namespace token`. */
function readFlags(text: string): KubectlFlags {
  const flags = text.split(' ').filter((flag) => flag !== '');
  return new Map(flags.map((flag) => (flag[1] === '/' ? [flag.slice(2), flag.slice(0, 1)] : [flag, ''])));
}

const kubectl = (await findKubectls(root)).find(({ release }) => release === record.release);

const answers = ['same', 'different', 'left out'];

interface Row {
  readonly name: string;
  readonly answer: string;
  readonly note: string;
}

/** The table of commands in the documentation. */
function documentedRows(): readonly Row[] {
  const text = readFileSync(join(root, 'docs', 'orchctl.md'), 'utf8');
  const section = text.split(/^## /m).find((one) => one.startsWith('Commands of kubectl')) ?? '';
  return [...section.matchAll(/^\| `([a-z-]+)` +\| ([a-z ]+?) +\| (.*?) *\|$/gm)].map(
    ([, name = '', answer = '', note = '']) => ({ name, answer, note }),
  );
}

describe('the table of kubectl commands in docs/orchctl.md', () => {
  const rows = documentedRows();

  it('the table of kubectl commands in docs/orchctl.md has one of the known answers in each row, and a reason for each one that is not "same"', () => {
    assert.ok(rows.length > 0);
    for (const { name, answer, note } of rows) {
      assert.ok(answers.includes(answer), `${name}: ${answer}`);
      if (answer !== 'same') assert.notEqual(note, '', name);
    }
  });

  it('the table calls those commands "same" or "different" that orchctl has, and others "left out"', () => {
    const own = new Set(commands.map(({ name }) => name));
    for (const { name, answer } of rows) assert.equal(own.has(name), answer !== 'left out', name);
  });

  it('the table lists exactly the commands of kubectl', () => {
    const names = [...recorded.keys()].filter((name) => !name.includes(' ') && name !== 'options');
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), names.toSorted());
  });
});

const ALL = 'all flags';

/** The flags that are left out, by command; `all` has those of all commands. */
function omittedFlags(): ReadonlyMap<string, ReadonlySet<string>> {
  const text = readFileSync(join(root, 'docs', 'orchctl.md'), 'utf8');
  const section = text.split(/^## /m).find((one) => one.startsWith('Flags of kubectl')) ?? '';
  const omitted = new Map<string, Set<string>>();
  for (const item of section.split(/^- /m).slice(1)) {
    const [, names = '', flags = ''] = /^([^:]+): ([^.]+)\. \S/.exec(item.replaceAll(/\s+/g, ' ')) ?? [];
    for (const name of names === 'all commands' ? ['all'] : codes(names)) {
      const known = omitted.get(name) ?? new Set<string>();
      for (const flag of flags === ALL ? [ALL] : codes(flags)) known.add(flag);
      omitted.set(name, known);
    }
  }
  return omitted;
}

const codes = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The flags of a command of orchctl with the global ones; undefined for a command that it does not have. */
async function ownFlags(name: string): Promise<ReadonlyMap<string, string> | undefined> {
  let [entries, entry]: [readonly CommandEntry[], CommandEntry | undefined] = [commands, undefined];
  for (const word of name.split(' ')) {
    entry = entries.find((one) => one.name === word || one.aliases?.includes(word));
    if (entry === undefined) return undefined;
    entries = entry.commands ?? [];
  }
  const { flags = {} } = (await entry?.load?.()) ?? {};
  const all = [...Object.values(globalFlags), ...Object.values(flags)] as readonly Flag<unknown>[];
  return new Map(
    all.flatMap(({ name: own, alias, short = '' }) =>
      [own, ...(alias === undefined ? [] : [alias])].map((one) => [one, short] as const),
    ),
  );
}

describe('the list of flags in docs/orchctl.md', () => {
  const omitted = omittedFlags();
  const known = [...recorded].filter(([name]) => {
    if (name === 'options') return false;
    const row = documentedRows().find((one) => one.name === name.split(' ')[0]);
    return row?.answer !== 'left out';
  });

  it('the list of flags in docs/orchctl.md is about commands of kubectl', () => {
    assert.deepEqual(
      [...omitted.keys()].filter((name) => name !== 'all' && !recorded.has(name)),
      [],
    );
  });

  for (const [name, flags] of known)
    it(`the table lists exactly those flags of "${name}" that orchctl does not have, and letters are the same`, async () => {
      const own = await ownFlags(name);
      const here = omitted.get(name) ?? new Set();
      if (here.has(ALL)) return assert.equal(own, undefined);
      assert.ok(own);
      const missing = [...flags.keys()].filter((flag) => !own.has(flag) && !omitted.get('all')?.has(flag));
      assert.deepEqual(missing.toSorted(), [...here].toSorted());
      for (const [flag, short] of flags)
        if (own.has(flag) && short !== '') assert.equal(own.get(flag), short, flag);
    });

  it('the table lists exactly those global flags that orchctl does not have', async () => {
    const own = await ownFlags('options');
    const global = [...(recorded.get('options') ?? new Map<string, string>()).keys()];
    const missing = global.filter((flag) => own?.has(flag) === false);
    const withoutCommands = ['kustomize', 'template'];
    const documented = [...(omitted.get('all') ?? [])].filter((flag) => !withoutCommands.includes(flag));
    assert.deepEqual(missing.toSorted(), documented.toSorted());
  });
});

/** Names and letters of flags in the help of a command. */
function flagsIn(help: string): KubectlFlags {
  const flags = help.matchAll(/^ {4}(?:-(\w), )?--([\w-]+)=.*:$/gm);
  return new Map([...flags].map(([, short = '', name = '']) => [name, short]));
}

async function helpOf(words: readonly string[]): Promise<string> {
  return (await run(kubectl?.path ?? '', [...words])).stdout;
}

/** The commands of kubectl with their help, `create role` after `create`. */
async function kubectlCommands(): Promise<ReadonlyMap<string, KubectlFlags>> {
  const namesIn = (help: string) =>
    [...help.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(([, name = '']) => name);
  const found = new Map([['options', flagsIn(await helpOf(['options']))]]);
  for (const name of namesIn(await helpOf(['--help']))) {
    const help = await helpOf([name, '--help']);
    found.set(name, flagsIn(help));
    const [, section = ''] = /^Available Commands:\n([\s\S]*?)\n\n/m.exec(help) ?? [];
    for (const inner of namesIn(section)) {
      const words = [name, inner];
      found.set(words.join(' '), flagsIn(await helpOf([...words, '--help'])));
    }
  }
  return found;
}

describe('the recorded flags of kubectl', {
  skip: kubectl === undefined && `there is no kubectl ${record.release} on this machine`,
}, () => {
  it('the recorded flags are those that the help of this release of kubectl lists', async () => {
    assert.deepEqual(await kubectlCommands(), recorded);
  });
});
