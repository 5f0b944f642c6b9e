import assert from 'node:assert/strict';
import {
  CelSyntaxError,
  compile,
  compileInPieces,
  dynDecl,
  environmentOf,
  listDecl,
  mapDecl,
  stringDecl,
} from '@orch/cel';
import { atOnce } from '@orch/machinery/concurrency';
import { type FuzzTarget, refusalOf, unlessRefused } from '../target.ts';

const environment = environmentOf('1.34').extend({
  self: dynDecl(),
  names: listDecl(stringDecl(64)),
  labels: mapDecl(stringDecl(64)),
});
const values = {
  self: { a: 1, b: [1, 2, { c: 'x' }], d: '5m', q: '10Gi', u: 'https://a/b?c=d', ip: '10.0.0.1' },
  names: ['a', 'b', 'ab'],
  labels: { a: 'b', 'x/y': '' },
};
const COST_LIMIT = 100_000;

/** An expression does not compile, or ends with a value, an error or the limit of its cost. */
export const target: FuzzTarget = {
  seeds: [
    'self.a == 1 && self.b.exists(x, x == 2) || !has(self.z)',
    'names.map(n, n + "x").filter(n, n.matches("^a.*$")).join(",") == ""',
    'labels.all(k, labels[k].size() < 5) ? duration(self.d) > duration("1s") : false',
    'quantity(self.q).isGreaterThan(quantity("1Gi")) && url(self.u).getHost() == "a" && ip(self.ip).family() == 4',
    '[1, 2.0, 3u, b"x", r"\\d", \'\'\'y\'\'\', null, {"a": [1]}][0] in [1]',
    'optional.of(1).orValue(2) + int("5") % 3 - -1 * 2',
    '"%s %d %e".format(["a", 1, 2.5]) + "abc".substring(1).replace("b", "c").upperAscii()',
  ],
  words: [
    '.exists(',
    '.map(x,',
    '.matches(',
    '.format([',
    'timestamp(',
    'cel.bind(',
    '?.',
    '[?',
    'r"""',
    'dyn(',
  ],
  check(data) {
    const source = data.toString('utf8');
    const program = unlessRefused(() => compile(source, environment), CelSyntaxError)?.value;
    assert.equal(
      refusalOf(() => atOnce(compileInPieces(source, environment)), CelSyntaxError) === undefined,
      program !== undefined,
    );
    if (program === undefined) return;
    const outcome = program.evaluate(values, COST_LIMIT);
    assert.ok(outcome.kind === 'limit' || outcome.cost <= COST_LIMIT, `cost ${outcome.cost}`);
    assert.equal(program.evaluate(values, COST_LIMIT).kind, outcome.kind, 'the same result twice');
  },
};
