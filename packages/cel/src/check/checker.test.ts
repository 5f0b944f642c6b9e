import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { intDecl, listDecl, mapDecl, objectDecl, stringDecl } from '../decl/build.ts';
import { environmentOf } from '../environment-of.ts';
import { compile } from '../program.ts';
import { CelSyntaxError } from '../syntax/source.ts';
import { refusalOf } from '../testing/evaluate.ts';
import * as types from '../types/type.ts';

const self = objectDecl('self', {
  name: { type: stringDecl(64) },
  replicas: { type: intDecl },
  labels: { type: mapDecl(stringDecl()) },
  ports: { type: listDecl(objectDecl('self.ports.@idx', { port: { type: intDecl } })) },
});

const typeOf = (source: string): string =>
  types.formatType(compile(source, environmentOf('1.99').extend({ self })).resultType);

describe('the type checker', () => {
  for (const [source, type] of [
    ['self.ports', 'list(self.ports.@idx)'],
    ['self.ports.map(p, p.port)', 'list(int)'],
    ["self.labels['a']", 'string'],
    ['self.labels.a', 'string'],
    ['[]', 'list(dyn)'],
    ['[] + [1]', 'list(int)'],
    ['{}', 'map(dyn, dyn)'],
    ['self.?name', 'optional_type(string)'],
    ['self.?labels.a', 'optional_type(string)'],
    ['self.?name.orValue("")', 'string'],
    ['optional.none().or(optional.of(1))', 'optional_type(int)'],
    ['self.ports.transformMap(i, p, p.port)', 'map(int, int)'],
    ['type(1)', 'type(int)'],
    ['dyn(1) + 1', 'int'],
    ['true ? self.name : dyn(1)', 'dyn'],
    ['quantity("1")', 'kubernetes.Quantity'],
    ['self.ports.sortBy(p, p.port)', 'list(self.ports.@idx)'],
  ] as const)
    it(`${source} is of type ${type}`, () => assert.equal(typeOf(source), type));

  for (const [source, position, message] of [
    ['nope', '1:1', "undeclared reference to 'nope' (in container '')"],
    ['self.nope', '1:5', "undefined field 'nope'"],
    ['1 + nope(2)', '1:9', "undeclared reference to 'nope' (in container '')"],
    ["self.replicas + 'a'", '1:15', "found no matching overload for '_+_' applied to '(int, string)'"],
    ['self.name.size(1)', '1:15', "found no matching overload for 'size' applied to 'string.(int)'"],
    ['self.ports.all(p, p.port)', '1:20', "expected type 'bool' but found 'int'"],
    ['self.name.x', '1:10', "type 'string' does not support field selection"],
    ['1.all(x, true)', '1:1', ''],
    ["[1, 'a']", '1:5', "expected type 'int' but found 'string'"],
    ["1 + int('x')", '1:8', 'type conversion error'],
    ["duration('1')", '1:10', 'invalid duration argument'],
    ["self.name.matches('[')", '1:19', 'invalid matches argument'],
  ] as const)
    it(`${source} is refused at ${position}`, () => {
      const found = refusalOf(source, self);
      assert.ok(found.startsWith(`ERROR: <input>:${position}: ${message}`), found);
    });

  it('all problems of an expression are reported, in the order of the source', () => {
    const found = refusalOf('a + b', self).split('\n');
    assert.deepEqual(
      found.filter((line) => line.startsWith('ERROR')),
      [
        "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')",
        "ERROR: <input>:1:5: undeclared reference to 'b' (in container '')",
      ],
    );
  });

  it('a result of another type than expected is refused', () => {
    const environment = environmentOf('1.99').extend({ self });
    assert.throws(
      () => compile('self.name', environment, types.bool),
      (error) => error instanceof CelSyntaxError && /must evaluate to bool/.test(error.message),
    );
    compile('self.name', environment, types.string);
  });

  for (const [release, source] of [
    ['1.28', "quantity('1').isInteger()"],
    ['1.28', 'self.?name.hasValue()'],
    ['1.28', '1 < 2.0'],
    ['1.29', 'sets.contains([1], [1])'],
    ['1.29', "'%d'.format([1])"],
    ['1.30', "isIP('::1')"],
    ['1.30', "isCIDR('::1/8')"],
    ['1.31', "format.named('uuid').hasValue()"],
    ['1.32', '[1].all(i, v, v > i)'],
    ['1.33', "isSemver('1.2.3')"],
    ['1.34', '[1].reverse() == [1]'],
  ] as const)
    it(`${source} needs release ${release}`, () => {
      compile(source, environmentOf(release).extend({ self }));
      const before = `1.${Number(release.slice(2)) - 1}`;
      assert.match(refusalOf(source, self, before), /undeclared reference|no matching overload|Syntax error/);
    });

  it('an expression with ten thousand indices is checked: the time grows with its length, not with its square', () => {
    const chain = `dyn(self)${'[0]'.repeat(200)}`;
    assert.equal(typeOf(`[${Array.from({ length: 50 }, () => chain).join()}]`), 'list(dyn)');
  });
});
