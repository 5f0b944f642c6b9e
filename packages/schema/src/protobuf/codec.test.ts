import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { isExactNumber } from '@orch/machinery/json';
import fc from 'fast-check';
import { compileCodec } from '../codec/compiler.ts';
import { f, items, struct } from '../declare.ts';
import type { StructSchema } from '../schema.ts';
import { arbitraryInput } from '../testing/arbitrary.ts';
import { Widget } from '../testing/widget.ts';
import { protobufCodec } from './codec.ts';
import { EnvelopeWriter, messageField } from './envelope.ts';
import { ProtobufError } from './protobuf-error.ts';
import type { Remarks } from './reader.ts';

const names = namesFor('orch');

const Inner = struct('test.v1.Inner', 'Part of another message.', {
  name: f.string(1, { presence: 'always' }),
  size: f.int32(2, { presence: 'pointer' }),
});
const Inlined = struct('test.v1.Inlined', 'Dissolves in JSON.', { source: f.string(1) });

/** Refers to itself. */
const All: StructSchema = struct('test.v1.All', 'A field of every kind, not in the order of their numbers.', {
  text: f.string(2),
  count: f.int32(1),
  large: f.int64(3, { presence: 'pointer' }),
  on: f.bool(4, { presence: 'pointer' }),
  ratio: f.float64(5, { presence: 'pointer' }),
  key: f.bytes(6),
  amount: f.quantity(7, { presence: 'pointer' }),
  port: f.intOrString(8, { presence: 'pointer' }),
  at: f.time(9, { presence: 'pointer' }),
  exactlyAt: f.microTime(10, { presence: 'pointer' }),
  timeout: f.duration(11, { presence: 'pointer' }),
  fields: f.object(12, { presence: 'pointer' }),
  anything: f.json(13),
  inner: f.struct(14, Inner, { presence: 'pointer' }),
  inlined: f.inline(15, Inlined),
  numbers: f.list(16, items.int64),
  words: f.list(17, items.string),
  parts: f.list(18, Inner),
  labels: f.map(19, items.string),
  amounts: f.map(20, items.quantity),
  byName: f.map(21, Inner),
  extra: f.map(22, { kind: 'list', items: items.string }),
  tree: f.struct(23, () => All, { presence: 'pointer' }),
  kindOf: f.string(24, { presence: 'always', nullable: true }),
  sides: f.struct(25, Inner, { presence: 'always' }),
  created: f.time(26, { presence: 'always' }),
});
const codec = protobufCodec(All, names);

describe('the Protobuf encoding of values', () => {
  const rows: readonly (readonly [title: string, value: Record<string, unknown>, bytes: string])[] = [
    ['text of several bytes', { text: 'é' }, '1202c3a9'],
    ['a negative number of 32 bits', { count: -1 }, '08ffffffffffffffffff01'],
    ['zero that is set', { large: 0 }, '1800'],
    ['a number beyond 2^53', { large: JSON.parse('9007199254740992') }, '188080808080808010'],
    ['false that is set', { on: false }, '2000'],
    ['a fraction', { ratio: -0.5 }, '29000000000000e0bf'],
    ['bytes', { key: 'AP8=' }, '320200ff'],
    ['a quantity', { amount: '500m' }, '3a060a04' + '3530306d'],
    ['a number or string, as number', { port: 80 }, '4206080010501a00'],
    ['a number or string, as string', { port: '5%' }, '42080801' + '1000' + '1a023525'],
    ['a time', { at: '1970-01-01T00:01:00Z' }, '4a04083c1000'],
    ['a time before the epoch', { at: '1969-12-31T23:59:59Z' }, '4a0d08ffffffffffffffffff011000'],
    ['a time with microseconds', { exactlyAt: '1970-01-01T00:00:01.000002Z' }, '5205080110d00f'],
    ['a duration', { timeout: '1µs' }, '5a0308e807'],
    ['free-form fields', { fields: { 'f:a': {} } }, '620c0a0a7b22663a61223a7b7d7d'],
    ['any JSON value', { anything: [1] }, '6a050a035b315d'],
    ['a message', { inner: { name: 'a', size: 0 } }, '72050a01611000'],
    ['fields of an inlined message', { source: 'x' }, '7a030a0178'],
    ['numbers in a list', { numbers: [1, 300] }, '800101' + '8001ac02'],
    ['words in a list, empty ones too', { words: ['a', ''] }, '8a010161' + '8a0100'],
    ['messages in a list', { parts: [{ name: '' }, { name: 'b' }] }, '9201020a00' + '9201030a0162'],
    [
      'a map, bytewise by key',
      { labels: { 9: 'x', 10: 'y' } },
      '9a01070a0231301201' + '79' + '9a01060a01391201' + '78',
    ],
    ['quantities in a map', { amounts: { cpu: '1' } }, 'a2010a0a03637075' + '12030a0131'],
    ['messages in a map', { byName: { a: { name: 'b' } } }, 'aa01080a01611203' + '0a0162'],
    ['lists in a map', { extra: { a: ['b', 'c'] } }, 'b2010b0a01611206' + '0a01620a0163'],
    ['text that may be null', { kindOf: '' }, 'c20100'],
  ];
  for (const [title, value, bytes] of rows) {
    it(`a value is encoded and decoded: ${title}`, () => {
      assert.deepEqual(codec.decode(Buffer.from(bytes, 'hex')), value);
      const written = codec.encode(value).toString('hex');
      assert.ok(written.includes(bytes), `${written} holds ${bytes}`);
      const zero = { count: 0, text: '', source: '', sides: { name: '' }, created: null };
      assert.deepEqual(codec.decode(codec.encode(value)), { ...zero, ...value });
    });
  }

  it('an empty value is encoded as the fields that are always written, in the order of their numbers', () => {
    assert.equal(codec.encode({}).toString('hex'), `${'08001200'}${'7a020a00'}${'ca01020a00'}${'d20100'}`);
  });

  it('numbers of 64 bits are exact in Protobuf', () => {
    const { large } = codec.decode(Buffer.from('18ffffffffffffffff7f', 'hex'));
    assert.ok(isExactNumber(large));
    assert.equal(large.rawJSON, '9223372036854775807');
    assert.equal(codec.encode({ large }).includes(Buffer.from('18ffffffffffffffff7f', 'hex')), true);
    const least = codec.decode(Buffer.from('1880808080808080808001', 'hex'))['large'];
    assert.ok(isExactNumber(least));
    assert.equal(least.rawJSON, '-9223372036854775808');
  });

  it('every value is the same after a round trip through Protobuf', () => {
    const json = compileCodec(Widget, names);
    const protobuf = protobufCodec(Widget, names);
    fc.assert(
      fc.property(arbitraryInput(Widget, 5), (input) => {
        const { value } = json.decode(input);
        const bytes = protobuf.encode(value);
        const { value: read, problems } = json.decode(protobuf.decode(bytes));
        assert.deepEqual(problems, []);
        assert.deepEqual(read, value);
        assert.deepEqual(protobuf.encode(read), bytes);
      }),
    );
  });
});

const hex = (text: string): Record<string, unknown> => codec.decode(Buffer.from(text, 'hex'));

describe('reading Protobuf', () => {
  for (const [title, bytes, value] of [
    ['fields in any order', '120161' + '0801', { count: 1, text: 'a' }],
    ['the last of several scalars', '0801' + '0802', { count: 2 }],
    ['a message that comes in parts', '72030a0161' + '72021005', { inner: { name: 'a', size: 5 } }],
    ['packed numbers', '82010401ac0203', { numbers: [1, 300, 3] }],
    ['packed and single numbers', '800101' + '82010102' + '800103', { numbers: [1, 2, 3] }],
    [
      'unknown fields of every wire type',
      '9a0601ff' + '980605' + '9d0600000000' + '99060000000000000000' + '0801',
      { count: 1 },
    ],
    ['an unknown group', '9b06' + '0801' + '9b06' + '9c06' + '9c06' + '0801', { count: 1 }],
    ['unknown fields inside known ones', '4a05083c980605', { at: '1970-01-01T00:01:00Z' }],
    ['a map entry without a value', '9a01030a0161', { labels: { a: '' } }],
    ['a map entry without a key', '9a0103120161', { labels: { '': 'a' } }],
    ['the last of two map entries', '9a01060a0161120162' + '9a01060a0161120163', { labels: { a: 'c' } }],
    ['a quantity without text', '3a00', { amount: '0' }],
    ['a number or string without anything', '4200', { port: 0 }],
    ['the zero instant', '4a00', { at: null }],
    ['the epoch', '4a020800', { at: '1970-01-01T00:00:00Z' }],
    ['nanoseconds of a time, which do not count', '4a04083c1005', { at: '1970-01-01T00:01:00Z' }],
    ['a boolean of several bytes', '20ffffffffffffffffff01', { on: true }],
    ['a number of 32 bits that was written as 64', '08ffffffff1f', { count: -1 }],
    ['nothing', '', {}],
  ] as const) {
    it(`a message is decoded: ${title}`, () => assert.deepEqual(hex(bytes), value));
  }

  describe('unknown and duplicate fields in Protobuf', () => {
    const remarksOf = (hexBytes: string): Remarks => {
      const remarks: Remarks = { unknown: [], duplicate: [] };
      codec.decode(Buffer.from(hexBytes, 'hex'), remarks);
      return remarks;
    };
    const none: Remarks = { unknown: [], duplicate: [] };
    for (const [title, bytes, remarks] of [
      ['nothing in order', '0801120161', none],
      ['an unknown field', '980605', { ...none, unknown: ['<field 99>'] }],
      ['none that is zero', '980600', none],
      ['none that is empty', '9a0600', none],
      ['one within a message', '7203980605', { ...none, unknown: ['inner.<field 99>'] }],
      ['one beside an item', '920100920303980605', { ...none, unknown: ['<field 50>'] }],
      ['one within the second item', '920100920103980605', { ...none, unknown: ['parts[1].<field 99>'] }],
      ['one within an inlined message', '7a03980605', { ...none, unknown: ['<field 99>'] }],
      ['an unknown group', '9b0608019c06', { ...none, unknown: ['<field 99>'] }],
      ['a field that comes twice', '08010802', { ...none, duplicate: ['count'] }],
      ['a field that comes again later', '08011201610802', { ...none, duplicate: ['count'] }],
      ['none in another order', '1201610801', none],
      ['none among items', '8a0101618a010162', none],
      [
        'a key that comes twice',
        '9a01060a0161120162' + '9a01060a0161120163',
        { ...none, duplicate: ['labels[a]'] },
      ],
    ] as const) {
      it(`unknown and duplicate fields are reported: ${title}`, () =>
        assert.deepEqual(remarksOf(bytes), remarks));
    }

    it('the number of reported unknown fields is bounded', () => {
      assert.equal(remarksOf('980605'.repeat(5000)).unknown.length, 100);
    });
  });

  it('the key __proto__ in Protobuf is treated as any other key', () => {
    const key = Buffer.from('__proto__').toString('hex');
    const { labels } = hex(`9a010e0a09${key}120161`);
    assert.deepEqual(Object.entries(labels as object), [['__proto__', 'a']]);
    assert.equal(Object.getPrototypeOf(labels), Object.prototype);
  });

  for (const [title, bytes, message] of [
    ['a number that is cut off', '08ff', 'count: the message ends within a number'],
    ['text that is cut off', '120561', 'text: the message ends too early: 5 bytes are announced, 1 are left'],
    [
      'a message that is longer than the one around it',
      '720a0a0161',
      /^inner: the message ends too early: 10 bytes/,
    ],
    ['a length of 2^63', '12ffffffffffffffff7f61', /^text: the message ends too early: 9223372036854776000 /],
    ['a length of 2^64 - 1', '72ffffffffffffffffff01', /^inner: the message ends too early/],
    ['a number of more than ten bytes', '08ffffffffffffffffffff01', 'count: a number of more than 64 bits'],
    ['a number of more than 64 bits', '08ffffffffffffffffff02', 'count: a number of more than 64 bits'],
    ['field number 0', '0001', /^field number 0/],
    ['a field number beyond the largest', 'f8ffffffff0101', /^field number out of range/],
    ['an unknown wire type', '9e06', /^unknown wire type 6/],
    ['a known field of another wire type', '0a0161', 'count: wire type 2 where 0 is due'],
    ['a field of a special message with another wire type', '4a020a00', 'at: wire type 2 where 0 is due'],
    ['a group that never ends', '9b06', /ends within a number/],
    ['a group that never began', '9c06', /did not begin/],
    ['a group that ends as another', '9b06a406', /did not begin/],
    ['text that is not UTF-8', '1202c328', 'text: text that is not valid UTF-8'],
    ['a key that is not UTF-8', '9a01040a02c328', 'labels[]: text that is not valid UTF-8'],
    ['a value below a list and a map', '9201030a0162' + '920102' + '0aff', /^parts\[1\]\.name: /],
    ['a value below a map', 'aa01070a01611202' + '0aff', /^byName\[a\]\.name: /],
    ['a time that has no text', '4a0808ffffffffffff7f', /^at: a time outside of the years 0 to 9999/],
    ['nanoseconds of more than a second', '520808011080a8d6b907', /^exactlyAt: a time outside/],
    [
      'a number that JSON does not know',
      '29000000000000f07f',
      'ratio: Infinity is not a number that JSON knows',
    ],
    ['neither number nor string', '42020802', 'port: neither a number nor a string'],
    ['free-form fields that are not JSON', '62030a017b', /^fields: no valid JSON: /],
    ['free-form fields in Protobuf', '62060a046b387300', /^fields: no valid JSON: /],
  ] as const) {
    it(`a message is rejected: ${title}`, () => {
      assert.throws(
        () => hex(bytes),
        (error) => {
          assert.ok(error instanceof ProtobufError, String(error));
          if (typeof message === 'string') assert.equal(error.message, message);
          else assert.match(error.message, message);
          return true;
        },
      );
    });
  }

  it('the depth of messages and groups is bounded', () => {
    /** A tree within a tree… */
    const nested = (depth: number): Buffer => {
      let bytes = Buffer.alloc(0);
      for (let i = 0; i < depth; i++) {
        const length: number[] = [];
        for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
          length.push(rest < 128 ? rest : (rest % 128) | 128);
          if (rest < 128) break;
        }
        bytes = Buffer.concat([Buffer.from([0xba, 0x01, ...length]), bytes]);
      }
      return bytes;
    };
    assert.doesNotThrow(() => codec.decode(nested(400)));
    assert.throws(() => codec.decode(nested(2_000)), /nested more than 500 levels deep/);
    const groups = Buffer.alloc(200_000);
    for (let i = 0; i < groups.length; i += 2) groups.writeUInt16BE(0x9b06, i);
    assert.throws(() => codec.decode(groups), /nested more than 500 levels deep/);
  });

  it('random bytes are decoded or rejected with a ProtobufError', () => {
    const outcome = (bytes: Uint8Array): void => {
      try {
        codec.decode(Buffer.from(bytes));
      } catch (error) {
        assert.ok(error instanceof ProtobufError, String(error));
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), outcome));
    const json = compileCodec(Widget, names);
    const protobuf = protobufCodec(Widget, names);
    fc.assert(
      fc.property(
        arbitraryInput(Widget, 4),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(20),
        (input, changes, cut) => {
          const bytes = Buffer.from(protobuf.encode(json.decode(input).value));
          for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
          try {
            json.decode(protobuf.decode(bytes.subarray(0, bytes.length - cut)));
          } catch (error) {
            assert.ok(error instanceof ProtobufError, String(error));
          }
        },
      ),
    );
  });

  it('decoding takes time and memory in proportion to the input', () => {
    const empty = Buffer.alloc(3 * 256 * 1024);
    for (let i = 0; i < empty.length; i += 3) empty.set([0x92, 0x01, 0x00], i);
    const { parts } = codec.decode(empty);
    assert.equal((parts as unknown[]).length, 256 * 1024);
    const again = Buffer.concat(Array.from({ length: 50_000 }, () => Buffer.from('72030a0161', 'hex')));
    assert.deepEqual(codec.decode(again), { inner: { name: 'a' } });
  });
});

describe('the release that is served', () => {
  it('the served release determines which fields exist in Protobuf', () => {
    const Aged = struct('test.v1.Aged', 'Changes.', {
      old: f.string(1),
      fresh: f.string(2, { since: '1.30' }),
    });
    const older = protobufCodec(Aged, names, { includes: ({ since }) => since === undefined });
    assert.deepEqual(older.decode(Buffer.from('0a0161120162', 'hex')), { old: 'a' });
    assert.equal(older.encode({ old: 'a', fresh: 'b' }).toString('hex'), '0a0161');
  });

  it('fields that the release lacks are written only where they are set', () => {
    const quiet = protobufCodec(Inner, names, { quiet: ({ name }) => name === 'name' });
    assert.equal(quiet.encode({ size: 1 }).toString('hex'), '1001');
    assert.equal(quiet.encode({ name: 'a', size: 1 }).toString('hex'), '0a01611001');
    assert.deepEqual(quiet.decode(Buffer.from('0a0161', 'hex')), { name: 'a' });
  });

  it('decoded fields have the names of the naming', () => {
    const Named = struct('test.v1.Named', 'Named.', { nodeagentVersion: f.string(1) });
    const bytes = Buffer.from('0a0161', 'hex');
    assert.deepEqual(protobufCodec(Named, namesFor('kubernetes')).decode(bytes), { kubeletVersion: 'a' });
  });
});

describe('objects within objects', () => {
  const embeddedAs = { kind: 'Claim', apiVersion: 'v1' };
  const Claim = struct(
    'test.v1.Claim',
    'Has its own kind.',
    { name: f.string(1) },
    { typeMeta: true, embeddedAs },
  );
  const Owner = struct('test.v1.Owner', 'Has claims.', { claims: f.list(1, Claim) });

  it('decoded nested objects have kind and apiVersion although their messages lack them', () => {
    const bytes = protobufCodec(Owner, names).encode({ claims: [{ ...embeddedAs, name: 'a' }] });
    assert.equal(bytes.toString('hex'), '0a030a0161');
    assert.deepEqual(protobufCodec(Owner, names).decode(bytes), { claims: [{ ...embeddedAs, name: 'a' }] });
    assert.deepEqual(protobufCodec(Claim, names).decode(bytes.subarray(2)), { name: 'a' });
  });
});

describe('objects in Protobuf within free-form fields', () => {
  const Holder = struct('test.v1.Holder', 'Holds any object.', {
    object: f.object(1, { presence: 'pointer' }),
  });
  const inner = protobufCodec(Inner, names);
  const envelope = new EnvelopeWriter('Inner', 'test/v1').wrap(messageField(inner, { name: 'a' }));
  const bytes = Buffer.concat([Buffer.from([0x0a, envelope.length + 2, 0x0a, envelope.length]), envelope]);
  const reading = protobufCodec(Holder, names, {
    readEmbedded: ({ apiVersion, kind, raw }) => ({ kind, apiVersion, ...inner.decode(raw) }),
  });

  it('objects in Protobuf within free-form fields are read with a reader of their kinds', () => {
    assert.deepEqual(reading.decode(bytes), { object: { kind: 'Inner', apiVersion: 'test/v1', name: 'a' } });
  });

  it('objects in Protobuf within free-form fields are rejected with their kind without such a reader', () => {
    assert.throws(
      () => protobufCodec(Holder, names).decode(bytes),
      (error) =>
        error instanceof ProtobufError &&
        /^object: no valid JSON: an object of kind "test\/v1 Inner"/.test(error.message),
    );
  });

  it('damaged objects in Protobuf within free-form fields are rejected', () => {
    const damaged = Buffer.from(bytes);
    damaged.fill(0xff, 8);
    assert.throws(() => reading.decode(damaged), ProtobufError);
  });

  it('free-form fields are written as JSON, and JSON is read unchanged', () => {
    const written = reading.encode({ object: { kind: 'Inner' } });
    assert.deepEqual(reading.decode(written), { object: { kind: 'Inner' } });
  });
});
