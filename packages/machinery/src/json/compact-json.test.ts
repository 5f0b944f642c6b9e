import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { describe, it } from 'node:test';
import { CompactJson } from './compact-json.ts';

const sample = JSON.stringify({
  kind: 'ConfigMap',
  metadata: { name: 'a', labels: {}, ok: [true, false, null, [], {}, [[]]] },
  data: { text: 'a "quoted" \\ é \u0001 \ud83d\ude00', n: [0, -1, 10, 1.5, -0.25, 1e21, 3e-7] },
});

const isRefused = (bytes: Buffer): boolean => {
  const json = new CompactJson(bytes);
  return !isUtf8(bytes) || !json.value() || !json.isAtEnd;
};

const parses = (bytes: Buffer): boolean => {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
};

describe('the pass over compact JSON', () => {
  for (const text of [sample, '0', '"x"', 'null', '[]', '{}', '[1,2]', '-0.5e+10', '{"a":{"b":[{}]}}'])
    it(`the pass accepts ${text.slice(0, 20)}`, () => assert.ok(!isRefused(Buffer.from(text))));

  for (const text of [
    '',
    ` ${sample}`,
    `${sample}\n`,
    '{',
    '}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '[1,]',
    '[,1]',
    '[1 2]',
    '{"a":1]',
    '[1}',
    '01',
    '1.',
    '-',
    '1e',
    '"',
    '"\\x"',
    '"\\u12g4"',
    '"a\nb"',
    'tru',
    'nulll',
    '{}{}',
    '\ufeff{}',
    'no object',
  ])
    it(`the pass refuses ${JSON.stringify(text)}`, () => assert.ok(isRefused(Buffer.from(text))));

  it('the pass refuses bytes that are cut anywhere', () => {
    const bytes = Buffer.from(sample);
    for (let end = 0; end < bytes.length; end++) assert.ok(isRefused(bytes.subarray(0, end)), String(end));
  });

  it('the pass agrees with a parser about bytes of which one was changed', () => {
    const bytes = Buffer.from(sample);
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0, 0x22, 0x2c, 0x30, 0x5c, 0x5d, 0x7b, 0x7d, 0xff]) {
        const changed = Buffer.from(bytes);
        changed[at] = value;
        assert.equal(isRefused(changed), !parses(changed), changed.toString('latin1'));
      }
    }
  });
});
