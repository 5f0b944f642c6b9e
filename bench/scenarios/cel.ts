import {
  compile,
  environmentOf,
  intDecl,
  listDecl,
  mapDecl,
  objectDecl,
  stringDecl,
  timestampDecl,
} from '@orch/cel';
import type { BenchContext } from '../lib/context.ts';
import type { BenchResult } from '../lib/measure.ts';

const WARM_UP = 4000;
const PER_ROUND = 300;
const ROUNDS = 60;
/** Rounds of an evaluation that takes milliseconds. */
const LONG_ROUNDS = 8;

const environment = environmentOf('1.34').extend({
  self: objectDecl('self', {
    minReplicas: { type: intDecl },
    maxReplicas: { type: intDecl },
    name: { type: stringDecl(253) },
    list: { type: listDecl(objectDecl('self.list.@idx', { name: { type: stringDecl(63) } }), 100) },
    ints: { type: listDecl(intDecl) },
    text: { type: stringDecl() },
    map: { type: mapDecl(stringDecl()) },
    part: { type: stringDecl() },
    percents: { type: stringDecl() },
    wide: { type: listDecl(stringDecl()) },
    long: { type: listDecl(stringDecl()) },
    times: { type: listDecl(timestampDecl) },
  }),
});

const many = Array.from({ length: 100_000 }, (_, index) => index);
const self = {
  minReplicas: 1,
  maxReplicas: 5,
  name: 'a-name-of-usual-length',
  list: Array.from({ length: 10 }, (_, index) => ({ name: `a-name-${index}` })),
  ints: many,
  text: 'x'.repeat(1_000_000),
  map: Object.fromEntries(many.slice(0, 5000).map((index) => [`key-${index}`, 'value'])),
  part: `${'x'.repeat(1000)}y${'x'.repeat(1000)}`,
  percents: '%%'.repeat(1_500_000),
  wide: Array.from({ length: 10 }, () => 'é'.repeat(150_000)),
  long: Array.from({ length: 150 }, (_, index) => 'x'.repeat(20_000) + String(index).padStart(3)),
  times: many.map(() => '2020-01-02T03:04:05Z'),
};

/** What runs into the limit, each by another kind of work. */
const adversarial = [
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
];

/** CPU of this process for one call of `run`, in µs: that of the best of many short rounds. */
function cpuOf(run: () => unknown, { rounds = ROUNDS, perRound = PER_ROUND, warmUp = WARM_UP } = {}): number {
  for (let i = 0; i < warmUp; i += 1) run();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage();
    for (let i = 0; i < perRound; i += 1) run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return best / perRound;
}

function evaluation(source: string, target: number, note: string): BenchResult {
  const program = compile(source, environment);
  const value = cpuOf(() => program.evaluate({ self }));
  return { what: `expression: \`${source}\``, unit: 'µs CPU', value, target, onReference: true, note };
}

function longest(): BenchResult {
  const times = adversarial.map((source) => {
    const program = compile(source, environment);
    return cpuOf(() => program.evaluate({ self }), { rounds: LONG_ROUNDS, perRound: 1, warmUp: 2 }) / 1000;
  });
  return {
    what: 'expression: longest of those that run into the limit',
    unit: 'ms CPU',
    value: Math.max(...times),
    target: 10,
    onReference: true,
    note: `${adversarial.length} adversarial expressions`,
  };
}

function compilation(): BenchResult {
  const source = "has(self.name) ? self.name.startsWith('a') && self.list.all(x, x.name.size() < 63) : true";
  return {
    what: 'expression: parse, check and estimate',
    unit: 'µs CPU',
    value: cpuOf(() => compile(source, environment).estimateCost(), { perRound: 100 }),
    target: 60,
    onReference: true,
    note: `${source.length} characters`,
  };
}

/** Validation rules: what an evaluation, a compilation and the worst expression take. */
export async function cel(_context: BenchContext): Promise<readonly BenchResult[]> {
  return [
    evaluation('self.minReplicas <= self.maxReplicas', 0.3, 'two ints'),
    evaluation("self.list.all(x, x.name.startsWith('a'))", 2, 'ten objects'),
    evaluation("self.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", 5, '22 characters'),
    compilation(),
    longest(),
  ];
}
