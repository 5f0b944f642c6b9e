import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureOfExpression, valueOfExpression } from '../testing/evaluate.ts';

type Case = readonly [source: string, value: unknown];

const values: Readonly<Record<string, readonly Case[]>> = {
  strings: [
    ["'héllo'.charAt(1)", 'é'],
    ["'a😀b'.charAt(2)", 'b'],
    ["'a😀b'.substring(1, 2)", '😀'],
    ["'😀😀x'.indexOf('x')", 2],
    ["'abcabc'.lastIndexOf('b')", 4],
    ["'abcabc'.indexOf('b', 2)", 4],
    ["'abcabc'.lastIndexOf('b', 3)", 1],
    ["'TaCo é'.lowerAscii() + 'x é'.upperAscii()", 'taco éX é'],
    ["'ab'.replace('', '-')", '-a-b-'],
    ["'aaaa'.replace('a', 'b', 2)", 'bbaa'],
    ["'a,b,c'.split(',', 2)", ['a', 'b,c']],
    ["'a,b'.split(',', 0)", []],
    ["'\\u00a0 x\\t\\n'.trim()", 'x'],
    ["['a', 'b'].join('-') + ['a', 'b'].join()", 'a-bab'],
    ['strings.quote("a\\"b\\n")', '"a\\"b\\n"'],
    ["'😀'.size()", 1],
    // The last of equal keys counts.
    ["{'a': 1, 'a': 2}.size()", 1],
    ["{'a': 1, 'a': 2}['a']", 2],
    ["'a'.contains('') && 'ab'.startsWith('a') && 'ab'.endsWith('b')", true],
  ],
  'formatting of strings': [
    ["'%s, %d and %%'.format(['a', 3])", 'a, 3 and %'],
    ["'%.1f %.0f %.3f'.format([2.25, 2.5, 1234.5])", '2.2 2 1,234.500'],
    ["'%e'.format([1234.5])", '1.234500×10⁰³'],
    ["'%x %X %o %b %x'.format([255, 255, 8, 5, 'az'])", 'ff FF 10 101 617a'],
    ["'%s %s'.format([['a', 1.5], {'k': true}])", '["a", 1.500000] {"k":true}'],
  ],
  lists: [
    ['[1, 2, 2].isSorted() && ![2, 1].isSorted() && [].isSorted()', true],
    ['[1, 2, 3].sum() + [0][0]', 6],
    ['[1.5, 2.0].sum()', 3.5],
    ["['b', 'a'].min() + ['b', 'a'].max()", 'ab'],
    ['[1, 2, 1].indexOf(1) + [1, 2, 1].lastIndexOf(1)', 2],
  ],
  'extended lists': [
    ['[3, 1, 2].sort()', [1, 2, 3]],
    ['[1, 2, 3].reverse().slice(0, 2)', [3, 2]],
    ['[[1], [2, 3]].flatten()', [1, 2, 3]],
    ['[1, 1, 2].distinct()', [1, 2]],
    ['lists.range(3)', [0, 1, 2]],
    ["[{'n': 2}, {'n': 1}].sortBy(x, x.n)", [{ n: 1 }, { n: 2 }]],
  ],
  sets: [
    ['sets.contains([1, 2], [2]) && !sets.contains([1], [2])', true],
    ['sets.equivalent([1, 1, 2], [2, 1])', true],
    ['sets.intersects([1], [1, 2]) && !sets.intersects([], [1])', true],
  ],
  regex: [
    ["'abc 123'.find('[0-9]+')", '123'],
    ["'abc'.find('[0-9]+')", ''],
    ["'a1b22'.findAll('[0-9]+')", ['1', '22']],
    ["'a1b22'.findAll('[0-9]+', 1)", ['1']],
    ["'xay'.matches('a') && !'xay'.matches('^a$')", true],
  ],
  urls: [
    ["url('https://u:p@ex.com:80/a%20b?q=1#f').getHost()", 'ex.com:80'],
    ["url('https://[::1]:80/').getHostname() + url('https://a:81').getPort()", '::181'],
    ["url('https://a/b c').getEscapedPath()", '/b%20c'],
    ["url('https://a/?k=a+b&k=%41&z').getQuery()", { k: ['a b', 'A'], z: [''] }],
    ["isURL('/a') && !isURL('a') && !isURL('http://a b') && !isURL('http://a:b')", true],
    ["url('https://a/x') == url('https://a/x')", true],
  ],
  quantities: [
    ["quantity('1Gi').isGreaterThan(quantity('1G'))", true],
    ["quantity('1500m').isInteger() || isQuantity('1x')", false],
    ["quantity('50k').asInteger() + sign(quantity('-2'))", 49999],
    ["quantity('1').add(quantity('500m')).sub(1).compareTo(quantity('0.5'))", 0],
    ["quantity('1.5').asApproximateFloat()", 1.5],
    ["quantity('1000m') == quantity('1')", true],
  ],
  'IP and CIDR': [
    ["ip('10.0.0.1').family() + ip('::1').family()", 10],
    ["isIP('::ffff:1.2.3.4') || isIP('1.2.3.4.5') || isIP('fe80::1%eth0')", false],
    ["ip.isCanonical('::1') && !ip.isCanonical('::0001')", true],
    ["ip('127.9.9.9').isLoopback() && ip('::').isUnspecified()", true],
    ["ip('169.254.1.1').isLinkLocalUnicast() && ip('ff02::1').isLinkLocalMulticast()", true],
    ["ip('8.8.8.8').isGlobalUnicast() && !ip('224.0.0.1').isGlobalUnicast()", true],
    ["cidr('10.0.0.0/8').containsIP('10.9.9.9') && !cidr('10.0.0.0/8').containsIP(ip('11.0.0.0'))", true],
    [
      "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.0.0.0/8').containsCIDR('10.0.0.0/7')",
      true,
    ],
    ["string(cidr('10.1.2.3/8').masked()) + string(cidr('10.1.2.3/8').ip())", '10.0.0.0/810.1.2.3'],
    ["cidr('fd00::/8').prefixLength()", 8],
  ],
  format: [
    ["format.dns1123Label().validate('a-b').hasValue()", false],
    ["format.named('dns1123Label').value().validate('A').value().size()", 1],
    ["format.named('unknown').hasValue()", false],
    ["format.dns1123LabelPrefix().validate('a-').hasValue()", false],
    ["format.uuid().validate('x').value()", ['does not match the UUID format']],
    ["format.date().validate('2024-02-29').hasValue() || format.byte().validate('aGk=').hasValue()", false],
  ],
  semver: [
    ["semver('1.2.3').major() + semver('1.2.3').minor() + semver('1.2.3').patch()", 6],
    ["semver('1.0.0-alpha.2').isLessThan(semver('1.0.0-alpha.10'))", true],
    [
      "semver('1.0.0-1').isLessThan(semver('1.0.0-a')) && semver('1.0.0').isGreaterThan(semver('1.0.0-a'))",
      true,
    ],
    ["semver('v1.02', true).compareTo(semver('1.2.0+build'))", 0],
    ["isSemver('1.2') || isSemver('01.2.3') || isSemver('1.2.3-01') || isSemver('v1-a', true)", false],
  ],
  optionals: [
    ['optional.ofNonZeroValue(0).orValue(5)', 5],
    ['optional.none().or(optional.of(1)).value()', 1],
    ['optional.of(1).or(optional.of(1 / 0)).value()', 1],
    ["{'a': {'b': 1}}.?a.?b", { of: 1 }],
    ["{'a': {'b': 1}}.?x.b.orValue(2)", 2],
    ["{'a': 1}[?'b'].hasValue() || [1][?1].hasValue()", false],
    ['[?optional.of(1), ?optional.none()]', [1]],
    ["{?'a': optional.none(), ?'b': optional.of(1)}", { b: 1 }],
    ['optional.of(2).optMap(x, x * 2)', { of: 4 }],
    ['optional.of(2).optFlatMap(x, optional.none())', 'none'],
    ['[1, 2].first().value() + [1, 2].last().value()', 3],
  ],
  'macros of two variables': [
    ["{'a': 1}.all(k, v, k == 'a' && v == 1) && [5].exists(i, v, i == 0 && v == 5)", true],
    ['[1, 2].exists_one(i, v, v == 2)', true],
    ['[4, 5].transformList(i, v, i > 0, v * 2)', [10]],
    ["{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 10)", { b: 20 }],
    ["{'a': 'x'}.transformMapEntry(k, v, {v: k})", { x: 'a' }],
  ],
  times: [
    ["timestamp('2024-02-29T12:34:56.789Z').getDayOfYear()", 59],
    ["timestamp('2024-07-01T00:00:00Z').getHours('America/New_York')", 20],
    ["timestamp('2024-07-01T00:00:00Z').getHours('+05:30')", 5],
    ["timestamp('2024-01-01T00:00:00Z') + duration('36h')", '2024-01-02T12:00:00Z'],
    ["duration('90m').getHours() + duration('90m').getMinutes()", 91],
    ["timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z')", '86400s'],
  ],
  conversions: [
    ["[string(1.0), string(1e6), string(1u), string(true), string(b'a')]", ['1', '1e+06', '1', 'true', 'a']],
    ["[int('-5'), int(3.9), int(5u), int(timestamp('1970-01-01T00:00:01Z'))]", [-5, 3, 5, 1]],
    ["double('1e3') + double(1)", 1001],
    ["bool('True') && !bool('0')", true],
    ['type(1) == int && type([]) == list && type(null) == null_type', true],
    ['1 == dyn(1.0) && 1 == dyn(1u) && dyn("1") != 1', true],
  ],
};

const failures: readonly string[] = [
  '1 / 0',
  '1 % 0',
  '9223372036854775807 + 1',
  '-(-9223372036854775807 - 1)',
  '1u - 2u',
  'int([1e19][0])',
  "int(['1x'][0])",
  "uint(['-1'][0])",
  "'abc'.charAt(4)",
  "'abc'.substring(2, 1)",
  "string([b'\\xff'][0])",
  '[1][1]',
  "{'a': 1}['b']",
  '[].min()',
  "'%d'.format(['a'])",
  "'%d'.format([])",
  "ip('x')",
  "cidr('10.0.0.0/33')",
  "url('x')",
  "quantity('x')",
  "semver('1')",
  'optional.none().value()',
  "timestamp('9999-12-31T23:59:59Z') + duration('1s')",
  "timestamp('2024-01-01T00:00:00Z').getHours('Nowhere')",
  "{'a': 'x', 'b': 'x'}.transformMapEntry(k, v, {v: k})",
];

for (const [library, cases] of Object.entries(values))
  describe(`expressions with ${library}`, () => {
    for (const [source, value] of cases)
      it(`the expression ${source} has the value ${JSON.stringify(value)}`, () =>
        assert.deepEqual(valueOfExpression(source), value));
  });

describe('expressions without a value', () => {
  for (const source of failures)
    it(`${source} fails with a message`, () => assert.ok(failureOfExpression(source).length > 3));

  for (const [source, value] of [
    ['1 / 0 == 1 || true', true],
    ['true || 1 / 0 == 1', true],
    ['false && 1 / 0 == 1', false],
    ['1 / 0 == 1 && false', false],
    ['[0, 1].exists(x, 1 / x == 1)', true],
    ['[0, 2].all(x, 1 / x == 1)', false],
  ] as const)
    it(`${source} is ${value}, whatever the error`, () => assert.equal(valueOfExpression(source), value));

  for (const source of ['1 / 0 == 1 || false', '[0, 1].all(x, 1 / x == 1)', '[0].exists_one(x, 1 / x == 1)'])
    it(`${source} is the error`, () => assert.match(failureOfExpression(source), /division by zero/));
});
