import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { commands } from '@orch/orchctl';
import { findKubectls, run } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const kubectl = (await findKubectls(root)).at(-1);
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

  it('has one of the known answers in each row, and a reason for each one that is not "same"', () => {
    assert.ok(rows.length > 0);
    for (const { name, answer, note } of rows) {
      assert.ok(answers.includes(answer), `${name}: ${answer}`);
      if (answer !== 'same') assert.notEqual(note, '', name);
    }
  });

  it('calls those commands "same" or "different" that orchctl has, and others "left out"', () => {
    const own = new Set(commands.map(({ name }) => name));
    for (const { name, answer } of rows) assert.equal(own.has(name), answer !== 'left out', name);
  });

  it('lists exactly the commands of kubectl --help', {
    skip: kubectl === undefined && 'there is no kubectl on this machine',
  }, async () => {
    const { stdout } = await run(kubectl?.path ?? '', ['--help']);
    const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(([, name]) => name);
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), names.toSorted());
  });
});
