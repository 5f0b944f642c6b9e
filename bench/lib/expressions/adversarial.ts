import {
  environmentOf,
  intDecl,
  listDecl,
  mapDecl,
  objectDecl,
  type Program,
  stringDecl,
  timestampDecl,
} from '@orch/cel';
import { parseJson } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';

export const environment = environmentOf('1.34').extend({
  self: objectDecl('self', {
    minReplicas: { type: intDecl },
    maxReplicas: { type: intDecl },
    name: { type: stringDecl(253) },
    list: { type: listDecl(objectDecl('self.list.@idx', { name: { type: stringDecl(63) } }), 100) },
    ints: { type: listDecl(intDecl) },
    text: { type: stringDecl() },
    map: { type: mapDecl(stringDecl()) },
    wideMap: { type: mapDecl(stringDecl()) },
    part: { type: stringDecl() },
    letters: { type: stringDecl() },
    short: { type: stringDecl() },
    percents: { type: stringDecl() },
    wide: { type: listDecl(stringDecl()) },
    long: { type: listDecl(stringDecl()) },
    times: { type: listDecl(timestampDecl) },
  }),
});

const random = seededRandom(1);
const many = Array.from({ length: 100_000 }, (_, index) => index);
export const self = {
  minReplicas: 1,
  maxReplicas: 5,
  name: 'a-name-of-usual-length',
  list: Array.from({ length: 10 }, (_, index) => ({ name: `a-name-${index}` })),
  ints: many,
  text: 'x'.repeat(1_000_000),
  map: Object.fromEntries(many.slice(0, 5000).map((index) => [`key-${index}`, 'value'])),
  wideMap: parseJson(Buffer.from(JSON.stringify(Object.fromEntries(many.map((n) => [`k${n}`, '']))))),
  letters: many.map(() => (random.int(2) === 0 ? 'a' : 'b')).join(''),
  short: 'x'.repeat(10_000),
  part: `${'x'.repeat(1000)}y${'x'.repeat(1000)}`,
  percents: '%%'.repeat(1_500_000),
  wide: Array.from({ length: 10 }, () => 'é'.repeat(150_000)),
  long: Array.from({ length: 150 }, (_, index) => 'x'.repeat(20_000) + String(index).padStart(3)),
  times: many.map(() => '2020-01-02T03:04:05Z'),
};

/** Expressions that reach the limit, each by another kind of work. */
export const adversarial: readonly string[] = [
  'self.ints.all(x, self.ints.all(y, x + y >= 0))',
  'self.ints.map(x, [x, x]).size() > 0',
  'self.ints.exists(x, x / 0 == 1)',
  'self.ints.all(x, self.map.all(k, k != ""))',
  "self.ints.all(x, !self.text.matches('(x+x+)+y'))",
  "self.ints.all(x, !self.name.matches('^[a-z]+$'))",
  "self.ints.all(x, self.name.replace('', 'abc') != '')",
  "self.ints.all(x, '%s'.format([self.ints]) != '')",
  'self.ints.all(x, (self.text + self.text).size() > x)',
  'self.ints.all(x, self.text.indexOf(self.part) < 0 && self.text.lastIndexOf(self.part) < 0)',
  "self.text.split('').size() > 0",
  "self.text.upperAscii().replace('X', 'yy').trim() != ''",
  "isSemver('1.2.3-' + self.text) || isURL('http://' + self.text) || isQuantity(self.text)",
  "self.ints.all(x, !isQuantity('x'))",
  'self.percents.format([]) != ""',
  'self.wide.all(x, x.size() > 0)',
  'self.times.all(x, true)',
  'self.ints.transformMap(i, x, x).size() > 0',
  'self.ints.sortBy(x, -x).size() > 0',
  'self.long.all(x, self.long.all(y, !(y in self.map)))',
  "self.name.startsWith('a') && self.ints.all(x, self.name in ['a', 'b'] || true)",
  "self.letters.matches('[ab]*a[ab]{60}c')",
  "self.list.all(x, !self.letters.matches('a.{100}c'))",
  "self.short.findAll('x.*y|x').size() > 0",
  'self.wideMap.all(k, k != "")',
  'self.ints.sum() > 0 && self.ints.sort().size() > 0',
];

/** The longest piece of an evaluation, by a clock in any unit. */
export function longestPiece(program: Program, clock: () => number): number {
  let longest = 0;
  let started = clock();
  let outcome = program.begin({ self });
  for (;;) {
    longest = Math.max(longest, clock() - started);
    if (outcome.kind !== 'unfinished') return longest;
    started = clock();
    outcome = outcome.continue();
  }
}
