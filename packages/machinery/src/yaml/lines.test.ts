import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { yamlLines } from './lines.ts';

describe('the lines of a YAML text', () => {
  const lineOf = yamlLines('# first\nkind: A\nrules:\n- level: x\n- level: y\n  users: [a,\n    b]\n');
  const rows: readonly [readonly (string | number)[], number][] = [
    [['kind'], 2],
    [['rules', 0, 'level'], 4],
    [['rules', 1], 5],
    [['rules', 1, 'users', 1], 7],
    [['rules', 1, 'nothing'], 5],
    [['nothing', 'at', 'all'], 2],
  ];
  for (const [path, line] of rows) {
    it(`the line finder finds ${path.join('.')}, or what it would be in`, () =>
      assert.equal(lineOf(path), line));
  }

  it('the line finder finds fields of JSON, and a line in what is empty', () => {
    assert.equal(yamlLines('{\n"a": 1,\n"b": [\n2]}')(['b', 0]), 4);
    assert.equal(yamlLines('')(['a']), 1);
  });
});
