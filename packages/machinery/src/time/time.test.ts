import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  durationMs,
  formatDuration,
  formatDurationMs,
  parseDuration,
  parseNamedDuration,
} from './duration.ts';
import { humanAge } from './human-age.ts';
import { canonicalMicroTime, canonicalTime, formatTime, microTimeOf, parseTime, timeMs } from './rfc3339.ts';

describe('times in RFC 3339', () => {
  for (const [input, stored] of [
    ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05Z'],
    ['2020-01-02T03:04:05+02:00', '2020-01-02T01:04:05Z'],
    ['2020-01-02T03:04:05-00:30', '2020-01-02T03:34:05Z'],
    ['2020-01-02T03:04:05.999999999Z', '2020-01-02T03:04:05Z'],
    ['2020-02-29T00:00:00Z', '2020-02-29T00:00:00Z'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ] as const) {
    it(`${input} is stored as ${stored}`, () => assert.equal(canonicalTime(input), stored));
  }

  for (const input of [
    '',
    '2020-01-02',
    '2020-01-02T03:04:05,5Z',
    '2020-02-30T00:00:00Z',
    '2020-01-02 03:04:05Z',
    '2020-01-02T03:04:05',
    '2020-01-02t03:04:05z',
    '2021-02-29T00:00:00Z',
    '2020-13-01T00:00:00Z',
    '2020-00-01T00:00:00Z',
    '2020-01-32T00:00:00Z',
    '2020-01-02T24:00:00Z',
    '2020-01-02T03:60:05Z',
    '2020-01-02T03:04:60Z',
    '2020-01-02T03:04:05+25:00',
    '20200102T030405Z',
    '2020-01-02T03:04:05Z ',
    '-2020-01-02T03:04:05Z',
    '9999-12-31T23:59:59-01:00',
    `2020-01-02T03:04:05.${'1'.repeat(100)}Z`,
  ]) {
    it(`${JSON.stringify(input.slice(0, 40))} is not a time`, () =>
      assert.equal(canonicalTime(input), undefined));
  }

  it('a time is stored as it was sent on every day that exists, and refused on others', () => {
    for (const year of [1900, 2000, 2023, 2024]) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const [mm, dd] = [String(month).padStart(2, '0'), String(day).padStart(2, '0')];
          const text = `${year}-${mm}-${dd}T23:59:59Z`;
          const date = new Date(Date.UTC(year, month - 1, day));
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
          assert.equal(canonicalTime(text), exists ? text : undefined, text);
        }
      }
    }
  });

  it('a time is formatted after any other time', () => {
    const times = [0, 999, 1000, -1, 1_600_000_000_000, 1_600_000_000_999, 0].map(formatTime);
    const expected = [
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:01Z',
      '1969-12-31T23:59:59Z',
    ];
    const later = '2020-09-13T12:26:40Z';
    assert.deepEqual(times, [...expected, later, later, '1970-01-01T00:00:00Z']);
  });

  it('a time with microseconds is refused where the time without them is', () => {
    for (const [input, isTime] of [
      ['2020-01-02T03:04:05.000006Z', true],
      ['2020-02-30T03:04:05.000006Z', false],
      ['2020-01-02T24:04:05.000006Z', false],
      ['2020-01-02T03:60:05.000006Z', false],
      ['2020-01-02T03:04:60.000006Z', false],
      ['2020-01-02 03:04:05.000006Z', false],
      ['2020-01-02T03:04:05,000006Z', false],
      ['2020-01-02T03:04:05.00000xZ', false],
      ['2020-01-02T03:04:05.0x0000Z', false],
      ['2020-01-02T03:04:05.000006z', false],
    ] as const) {
      assert.equal(canonicalMicroTime(input), isTime ? input : undefined, input);
    }
  });

  it('times with microseconds need exactly six fraction digits', () => {
    assert.equal(canonicalMicroTime('2020-01-02T03:04:05.000006Z'), '2020-01-02T03:04:05.000006Z');
    assert.equal(canonicalMicroTime('2020-01-02T03:04:05.123456+01:00'), '2020-01-02T02:04:05.123456Z');
    for (const input of [
      '2020-01-02T03:04:05Z',
      '2020-01-02T03:04:05.12345Z',
      '2020-01-02T03:04:05.1234567Z',
      'x',
    ]) {
      assert.equal(canonicalMicroTime(input), undefined, input);
    }
  });

  it('times in RFC 3339 come from epoch milliseconds', () => {
    assert.equal(formatTime(1577934245999), '2020-01-02T03:04:05Z');
    for (const ms of [-62167219200000, -30610224000001, -1, 0, 951782400000, 253402300799999]) {
      assert.equal(formatTime(ms), `${new Date(ms).toISOString().slice(0, -5)}Z`, String(ms));
    }
    assert.equal(formatTime(-1), '1969-12-31T23:59:59Z');
    assert.equal(microTimeOf(1577934245000.25), '2020-01-02T03:04:05.000250Z');
    assert.equal(microTimeOf(-0.5), '1969-12-31T23:59:59.999500Z');
    assert.equal(timeMs('1970-01-01T00:00:01.5Z'), 1500);
    assert.equal(timeMs('x'), undefined);
  });

  it('times agree with the runtime for every instant', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const instant = parseTime(date.toISOString());
          assert.equal((instant?.seconds ?? 0) * 1000 + (instant?.nanos ?? 0) / 1e6, date.getTime());
        },
      ),
    );
  });
});

describe('durations with names of units', () => {
  // The answers of the reference.
  for (const [text, nanos] of [
    ['1d', 86400000000000n],
    ['1w', 604800000000000n],
    ['P1D', 86400000000000n],
    ['P1DT2H', 7200000000000n],
    ['1h30m', 5400000000000n],
    ['3 days', 259200000000000n],
    ['2 weeks 1 hr', 1213200000000000n],
    ['-1d', 86400000000000n],
    ['1.5d', 432000000000000n],
    ['1month', undefined],
    ['5 minutes', 300000000000n],
    ['10 MS', 10000000n],
    ['1hours', 3600000000000n],
    ['1hr', 3600000000000n],
    ['1secs', 1000000000n],
    ['1µs', 1000n],
    ['1 nanoseconds', 1n],
    ['', undefined],
    ['day', undefined],
    ['1', undefined],
    ['99999999999999999999d', undefined],
    ['106751d', 9223286400000000000n],
    ['106752d', -9223371273709551616n],
    ['9223372036854775807w', -604800000000000n],
    ['00000000000000000000001d', 86400000000000n],
    ['1x 2d', 172800000000000n],
    ['1d2', 86400000000000n],
    ['1day2hours', 93600000000000n],
    ['every 2h', 7200000000000n],
    ['1 wks', undefined],
    ['1wk', 604800000000000n],
    ['1D', 86400000000000n],
  ] as const)
    it(`${JSON.stringify(text)} is read as ${nanos} ns`, () => assert.equal(parseNamedDuration(text), nanos));

  it('a megabyte of digits or units is read in linear time', () => {
    assert.equal(parseNamedDuration('9'.repeat(1_000_000)), undefined);
    assert.equal(parseNamedDuration('1d'.repeat(500_000)), BigInt.asIntN(64, 500_000n * 86_400_000_000_000n));
    assert.equal(parseNamedDuration(`1 ${' '.repeat(1_000_000)}x`), undefined);
  });
});

describe('durations as text', () => {
  for (const [input, nanos] of [
    ['0', 0n],
    ['0s', 0n],
    ['1h5m', 3_900_000_000_000n],
    ['1m30s', 90_000_000_000n],
    ['1.5s', 1_500_000_000n],
    ['.5s', 500_000_000n],
    ['1.s', 1_000_000_000n],
    ['100ms', 100_000_000n],
    ['2us', 2_000n],
    ['2µs', 2_000n],
    ['3ns', 3n],
    ['-1.5h', -5_400_000_000_000n],
    ['+5s', 5_000_000_000n],
    ['2562047h47m16.854775807s', 2n ** 63n - 1n],
  ] as const) {
    it(`${input} is ${nanos} ns`, () => assert.equal(parseDuration(input), nanos));
  }

  for (const input of [
    '',
    '-',
    '1',
    '1d',
    '1h5',
    's',
    '.s',
    '1 s',
    'h1',
    '1h-5m',
    '1e3s',
    '2562047h47m16.854775808s',
    '1s\n',
    '9'.repeat(200),
  ]) {
    it(`${JSON.stringify(input.slice(0, 30))} is not a duration`, () =>
      assert.equal(parseDuration(input), undefined));
  }

  for (const [nanos, text] of [
    [0n, '0s'],
    [1n, '1ns'],
    [1_100n, '1.1µs'],
    [2_200_000n, '2.2ms'],
    [3_300_000_000n, '3.3s'],
    [90_000_000_000n, '1m30s'],
    [3_600_000_000_000n, '1h0m0s'],
    [3_900_000_000_001n, '1h5m0.000000001s'],
    [-90_000_000_000n, '-1m30s'],
  ] as const) {
    it(`${nanos} ns is written ${text}`, () => assert.equal(formatDuration(nanos), text));
  }

  it('durations are written and read as the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }), (nanos) => {
        assert.equal(parseDuration(formatDuration(nanos)), nanos);
      }),
    );
  });

  it('durations convert to milliseconds and back', () => {
    assert.equal(durationMs('1m0.5s'), 60_500);
    assert.equal(durationMs('x'), undefined);
    assert.equal(formatDurationMs(60_500), '1m0.5s');
  });
});

describe('ages for people', () => {
  const s = 1000;
  const m = 60 * s;
  const h = 60 * m;
  const d = 24 * h;
  const y = 365 * d;
  for (const [ms, text] of [
    [-2 * s, '<invalid>'],
    [-1 * s, '0s'],
    [-500, '0s'],
    [0, '0s'],
    [1.9 * s, '1s'],
    [119 * s, '119s'],
    [2 * m, '2m'],
    [2 * m + s, '2m1s'],
    [9 * m + 59 * s, '9m59s'],
    [10 * m, '10m'],
    [10 * m + 59 * s, '10m'],
    [179 * m, '179m'],
    [3 * h, '3h'],
    [3 * h + m, '3h1m'],
    [7 * h + 59 * m, '7h59m'],
    [8 * h, '8h'],
    [47 * h + 59 * m, '47h'],
    [48 * h, '2d'],
    [50 * h, '2d2h'],
    [7 * d + 23 * h, '7d23h'],
    [8 * d, '8d'],
    [2 * y - h, '729d'],
    [2 * y, '2y'],
    [2 * y + d, '2y1d'],
    [8 * y - d, '7y364d'],
    [8 * y, '8y'],
    [20 * y + 5 * d, '20y'],
  ] as const) {
    it(`${ms} ms is ${text}`, () => assert.equal(humanAge(ms), text));
  }
});
