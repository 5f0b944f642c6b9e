import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { apiServerFlags } from '@orch/apiserver';
import type { Flag } from '@orch/program';
import { root } from './source-files.ts';

const read = (page: string): string => readFileSync(join(root, 'docs', page), 'utf8');
const declared = Object.values<Flag<unknown>>(apiServerFlags);
const unused = declared.filter(({ section }) => section === 'Without effect').map(({ name }) => name);
const used = declared.filter(({ section }) => section !== 'Without effect');
const usedNames = new Set(used.flatMap(({ name, alias }) => [name, ...(alias === undefined ? [] : [alias])]));

interface Row {
  readonly name: string;
  readonly support: string;
  readonly note: string;
}

const page = read('flags-of-kube-apiserver.md');
const rows: readonly Row[] = [...page.matchAll(/^\| `--([a-z0-9-]+)` +\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, name = '', , support = '', note = '']) => ({ name, support: support.trim(), note: note.trim() }),
);
const namesOf = (support: string): readonly string[] =>
  rows.filter((row) => row.support === support).map(({ name }) => name);

describe('page about the flags of kube-apiserver', () => {
  it('the page has every flag once, in order, with one of three kinds of support', () => {
    const names = rows.map(({ name }) => name);
    assert.ok(names.length > 150);
    assert.deepEqual(names, [...new Set(names)].sort());
    assert.deepEqual([...new Set(rows.map(({ support }) => support))].sort(), [
      'accepted without effect',
      'not needed',
      'supported',
    ]);
  });

  it('the supported flags of the page are declared, and have an effect', () => {
    assert.deepEqual(
      namesOf('supported').filter((name) => !usedNames.has(name)),
      [],
    );
  });

  it('the program declares exactly the flags without effect', () => {
    assert.deepEqual([...namesOf('accepted without effect')].sort(), [...unused].sort());
  });

  it('the flags that are not needed are not declared, and the page has a reason for each', () => {
    for (const { name, support, note } of rows) {
      if (support === 'supported') continue;
      assert.ok(note.length > 10, `${name}: a reason`);
      if (support === 'not needed') assert.ok(!usedNames.has(name) && !unused.includes(name), name);
    }
  });

  it('the other flags of the program are listed, and no others', () => {
    const [, list = ''] = page.split('## Flags that kube-apiserver does not have');
    const listed = [...list.matchAll(/`--([a-z0-9-]+)`/g)].map(([, name = '']) => name);
    const inTable = new Set(rows.map(({ name }) => name));
    const others = used
      .filter(({ name, alias = name }) => !inTable.has(name) && !inTable.has(alias))
      .map(({ name }) => name);
    assert.deepEqual(listed, [...others].sort());
  });
});

describe('page about hardening an API server', () => {
  const checks = [...read('hardening.md').matchAll(/^\| 1\.2\.(\d+) +\|([^|]*)\|([^|]*)\|$/gm)];

  it('the page has every check of the benchmark, in order', () => {
    assert.deepEqual(
      checks.map(([, number]) => Number(number)),
      Array.from({ length: 31 }, (_, at) => at + 1),
    );
  });

  it('the flags that meet a check are declared, and have an effect', () => {
    for (const [, number, , how = ''] of checks)
      for (const [, name = ''] of how.matchAll(/`--([a-z0-9-]+)/g))
        assert.ok(usedNames.has(name), `1.2.${number}: --${name}`);
  });
});
