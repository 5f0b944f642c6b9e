import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import {
  choiceFlag,
  choicesFlag,
  durationFlag,
  isGiven,
  listFlag,
  switchFlag,
  textFlag,
  wholeFlag,
  withValues,
} from './define.ts';
import { splitCommandLine, UsageError } from './parse.ts';
import { readRequest } from './program.ts';

const spec = (name: string) => ({ name, section: 'Things', help: `Help for ${name}.` });

const program = {
  usage: 'thing [flags]',
  about: 'Does things.',
  commands: ['up'],
  flags: {
    help: switchFlag(spec('help')),
    version: switchFlag(spec('version')),
    config: textFlag(spec('config')),
    name: textFlag(spec('user-name'), 'guest'),
    fast: switchFlag(spec('fast'), true),
    level: wholeFlag(spec('v'), 2, { least: 0, most: 9 }),
    wait: durationFlag(spec('wait'), 90_000),
    hosts: listFlag(spec('hosts')),
    color: choiceFlag(spec('color'), ['', 'red', 'blue'], ''),
    modes: choicesFlag(spec('modes'), ['a', 'b'], ['a']),
  },
} as const;

const run = (...argv: string[]) => {
  const request = readRequest({ ...program, commands: [] }, argv);
  assert.ok(request.kind === 'run');
  return request;
};

const work = mkdtempSync(join(tmpdir(), 'orch-flags-'));
after(() => rmSync(work, { recursive: true }));

const configFile = (text: string): string => {
  const path = join(work, 'config.yaml');
  writeFileSync(path, text);
  return path;
};

describe('command line flags', () => {
  it('a duration may be given in days, alone or before a shorter duration', () => {
    const hourMs = 3_600_000;
    assert.equal(run('--wait=400d').values.wait, 400 * 24 * hourMs);
    assert.equal(run('--wait=1d12h').values.wait, 36 * hourMs);
    for (const text of ['d', '1.5d', '-1d', '1d-1h', '1h1d', '1dd', '1d1d', '999999d'])
      assert.throws(() => run(`--wait=${text}`), UsageError, text);
  });

  it('a program with an operand takes exactly one argument besides its flags', () => {
    const { commands: _, ...rest } = program;
    const read = (...argv: string[]) => readRequest({ ...rest, operand: 'FILE' }, argv);
    const request = read('--fast=false', 'backup.file');
    assert.deepEqual([request.kind, request.kind === 'run' && request.command], ['run', 'backup.file']);
    const standard = read('-');
    assert.equal(standard.kind === 'run' && standard.command, '-');
    assert.throws(() => read(), new UsageError('missing argument: FILE'));
    assert.throws(() => read('a', 'b'), new UsageError('unknown argument: b'));
    assert.equal(read('--help').kind, 'help');
  });

  it('the value of a flag of one letter may begin with = when it is a separate argument', () => {
    const table = { level: textFlag({ ...spec('level'), short: 'l' }) };
    for (const [argv, text] of [
      [['-l', '=x'], '=x'],
      [['-l=x'], 'x'],
      [['-lx'], 'x'],
      [['-l==x'], '=x'],
      [['--level', '=x'], '=x'],
    ] as const)
      assert.deepEqual(splitCommandLine(table, argv).given, [{ name: 'level', text }]);
  });

  it('flags without values have their defaults', () => {
    const { values, command } = run();
    assert.deepEqual(values, {
      help: false,
      version: false,
      config: '',
      name: 'guest',
      fast: true,
      level: 2,
      wait: 90_000,
      hosts: [],
      color: '',
      modes: ['a'],
    });
    assert.equal(command, undefined);
  });

  it('a flag that is given counts as given, also with its default value and in the configuration file', () => {
    assert.equal(isGiven(run().values, 'fast'), false);
    assert.equal(isGiven(run('--fast=true').values, 'fast'), true);
    const { values } = run(`--config=${configFile('v: 2\n')}`, '--fast');
    assert.deepEqual(
      ['fast', 'v', 'wait'].map((name) => isGiven(values, name)),
      [true, true, false],
    );
    const changed = withValues(values, { level: 5 });
    assert.deepEqual([changed.level, isGiven(changed, 'v'), isGiven(changed, 'wait')], [5, true, false]);
  });

  for (const [argv, expected] of [
    [['--user-name=x'], { name: 'x' }],
    [['--user-name', 'x'], { name: 'x' }],
    [['--user_name=a=b'], { name: 'a=b' }],
    [['--user-name='], { name: '' }],
    [['--user-name', '--fast'], { name: '--fast' }],
    [['--user-name=x', '--user-name=y'], { name: 'y' }],
    [['--fast=false'], { fast: false }],
    [['--fast', '--fast=F'], { fast: false }],
    [['--v=3'], { level: 3 }],
    [['-v', '3'], { level: 3 }],
    [['-v=3'], { level: 3 }],
    [['--wait=1h5m'], { wait: 3_900_000 }],
    [['--wait=0'], { wait: 0 }],
    [['--hosts=a,b', '--hosts', ' c ,'], { hosts: ['a', 'b', 'c'] }],
    [['--color=red'], { color: 'red' }],
    [['--modes=b,a'], { modes: ['b', 'a'] }],
  ] as const) {
    it(`the arguments ${argv.join(' ')} are parsed`, () => {
      const { values } = run(...argv);
      for (const [key, value] of Object.entries(expected))
        assert.deepEqual(values[key as keyof typeof values], value);
    });
  }

  it('flags may precede and follow a command, and other arguments may not', () => {
    const command = (...argv: string[]) => {
      const request = readRequest(program, argv);
      return request.kind === 'run' ? request.command : request.kind;
    };
    assert.equal(command('--fast', 'up', '-v', '1'), 'up');
    assert.throws(
      () => command('--fast'),
      /^UsageError: missing argument: up; run thing \[flags\], or --help for its flags$/,
    );
    assert.throws(() => command('down'), /^UsageError: unknown argument: down$/);
    assert.throws(() => command('up', 'up'), /^UsageError: unknown argument: up$/);
    assert.throws(() => command('up', '--', '--fast'), /^UsageError: unknown argument: --fast$/);
    assert.throws(() => run('up'), /^UsageError: unknown argument: up$/);
  });

  for (const [argv, message] of [
    [['--nonsense'], 'unknown flag: --nonsense'],
    [['--nonsense=1'], 'unknown flag: --nonsense'],
    [['-x'], 'unknown flag: -x'],
    [['-fast'], 'unknown flag: -fast; did you mean --fast?'],
    [['--usre-name=x'], 'unknown flag: --usre-name; did you mean --user-name?'],
    [['--user-name'], 'flag needs an argument: --user-name'],
    [['--fast=maybe'], 'invalid value "maybe" for --fast: must be true or false'],
    [['--v=many'], 'invalid value "many" for --v: must be an integer'],
    [['--v=1.5'], 'invalid value "1.5" for --v: must be an integer'],
    [['--v=10'], 'invalid value "10" for --v: must be between 0 and 9'],
    [['--wait=5'], 'invalid value "5" for --wait: must be a duration such as 30s, 1h5m or 2d'],
    [['--wait=-1s'], 'invalid value "-1s" for --wait: must not be negative'],
    [['--color=green'], 'invalid value "green" for --color: must be one of red, blue'],
    [['--modes='], 'invalid value "" for --modes: must name at least one'],
    [['--modes=a,a'], 'invalid value "a,a" for --modes: must not name one twice'],
  ] as const) {
    it(`the arguments ${argv.join(' ')} are refused`, () => {
      assert.throws(
        () => run(...argv),
        (error) => error instanceof UsageError && error.message === message,
      );
    });
  }

  it('flags are also read from a file, which the command line overrides', () => {
    const path = configFile('user-name: file\n--wait: 2s\nhosts: [a, b]\nv: 4\nfast: false\n');
    const { values } = run('--config', path, '--user-name=line', '--hosts=c');
    assert.deepEqual(
      [values.name, values.wait, values.hosts, values.level, values.fast],
      ['line', 2_000, ['c'], 4, false],
    );
    assert.deepEqual(run('--config', configFile('')).values.name, 'guest');
  });

  for (const [what, text, message] of [
    ['an unknown flag', 'nonsense: 1', /unknown flag: --nonsense/],
    ['a bad value', 'v: many', /invalid value "many" for --v/],
    ['a nested value', 'user-name: {a: b}', /user-name: expected a string/],
    ['a list instead of a mapping', '[a]', /expected a mapping/],
    ['another file', 'config: x', /cannot name another one/],
    ['no YAML', 'a: [', /--config .*config\.yaml: /],
  ] as const) {
    it(`a file of flags with ${what} is refused`, () => {
      assert.throws(
        () => run('--config', configFile(text)),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
  }

  it('a file of flags that does not exist is refused', () => {
    assert.throws(
      () => run('--config', '/nonexistent.yaml'),
      /^UsageError: --config \/nonexistent\.yaml: ENOENT/,
    );
  });

  it('the help has all flags, with type and default', () => {
    const request = readRequest(program, ['--help', '--v=1']);
    assert.ok(request.kind === 'help');
    assert.match(request.text, /^Usage: thing \[flags\]\n\nDoes things\.\n\nThings:\n {2}--help\n/);
    assert.match(request.text, / {2}--user-name string\n {8}Help for user-name\. \(default "guest"\)\n/);
    assert.match(request.text, / {2}-v, --v int\n/);
    assert.match(request.text, / {2}--color red\|blue\n/);
    assert.match(request.text, / {2}--wait duration\n {8}Help for wait\. \(default 1m30s\)\n/);
    for (const flag of Object.values(program.flags)) assert.ok(request.text.includes(flag.help));
    for (const line of request.text.split('\n')) assert.ok(line.length <= 100);
  });

  it('the flag --version requests the version', () =>
    assert.equal(readRequest(program, ['--version']).kind, 'version'));
});
