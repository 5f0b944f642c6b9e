import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigFileError, ConfigValue } from './config-value.ts';

const parse = (text: string): ConfigValue => ConfigValue.parse(text, '/etc/a.yaml');

const fails = (read: () => unknown, message: string): void =>
  assert.throws(read, (error) => {
    assert.ok(error instanceof ConfigFileError);
    assert.deepEqual([error.file, error.message], ['/etc/a.yaml', message]);
    return true;
  });

describe('configuration value', () => {
  it('fields are read with their types', () => {
    const field = parse('text: a\nflag: true\nwhole: 7\nlist: [a, b]\nmap: {x: 1}\n').object([
      'text',
      'flag',
      'whole',
      'list',
      'map',
    ]);
    assert.equal(field('text').text(), 'a');
    assert.equal(field('flag').flag(), true);
    assert.equal(field('whole').whole({ least: 0, most: 9 }), 7);
    assert.deepEqual(field('list').texts(), ['a', 'b']);
    assert.deepEqual(
      field('map')
        .entries()
        .map(([name, value]) => [name, value.value]),
      [['x', 1]],
    );
    assert.equal(field('text').oneOf(['a', 'b']), 'a');
  });

  it('an absent field and null read as nothing', () => {
    for (const text of ['', 'a: null\n']) {
      const value = parse(text).object(['a'])('a');
      assert.equal(value.isAbsent, true);
      assert.equal(value.text(), '');
      assert.equal(value.flag(), undefined);
      assert.equal(value.whole({ least: 0, most: 1 }), undefined);
      assert.deepEqual([value.texts(), value.list(), value.entries()], [[], [], []]);
      assert.equal(value.object(['b'])('b').isAbsent, true);
    }
  });

  it('names of inherited properties are ordinary fields', () => {
    const value = parse('{"a": 1}').object(['a', 'constructor', '__proto__']);
    assert.equal(value('constructor').isAbsent, true);
    assert.equal(value('__proto__').isAbsent, true);
    fails(
      () => parse('{"__proto__": 1}').object(['a']),
      'line 1: __proto__: unknown field "__proto__", expected one of a',
    );
  });

  const refused: readonly [string, string, (value: ConfigValue) => unknown, string][] = [
    ['a string', 'a: 1', (value) => value.text(), 'line 1: a: must be a string'],
    ['a string in a list', 'a:\n- x\n- 2\n', (value) => value.texts(), 'line 3: a[1]: must be a string'],
    [
      'a string in a list, which is null',
      'a:\n- x\n- null\n',
      (value) => value.texts(),
      'line 3: a[1]: must be a string',
    ],
    ['true or false', 'a: 1', (value) => value.flag(), 'line 1: a: must be true or false'],
    ['a list', 'a: {}', (value) => value.list(), 'line 1: a: must be a list'],
    ['an object', 'a: []', (value) => value.object([]), 'line 1: a: must be an object'],
    ['an object with any fields', 'a: x', (value) => value.entries(), 'line 1: a: must be an object'],
    [
      'a whole number',
      'a: 1.5',
      (value) => value.whole({ least: 1, most: 2 }),
      'line 1: a: must be an integer from 1 to 2, not 1.5',
    ],
    [
      'a number of a range',
      'a: 3',
      (value) => value.whole({ least: 1, most: 2 }),
      'line 1: a: must be an integer from 1 to 2, not 3',
    ],
    [
      'one of several values',
      'a: z',
      (value) => value.oneOf(['x', 'y']),
      'line 1: a: must be one of x, y, not "z"',
    ],
  ];
  for (const [title, text, read, message] of refused) {
    it(`another type than ${title} is an error with line and path`, () => {
      fails(() => read(parse(text).object(['a'])('a')), message);
    });
  }

  it('a repeated field is an error with its line', () => {
    fails(() => parse('a:\n- b: 1\n  b: 2\n'), 'line 2: a[0].b: the field is repeated');
  });
});
