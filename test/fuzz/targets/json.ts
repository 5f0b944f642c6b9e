import assert from 'node:assert/strict';
import { atOnce } from '@orch/machinery/concurrency';
import {
  encodeJson,
  findDuplicateKeys,
  findDuplicateKeysInPieces,
  JsonSyntaxError,
  jsonEquals,
  jsonText,
  MAX_JSON_DEPTH,
  parseJson,
  parseJsonInPieces,
} from '@orch/machinery/json';
import { type FuzzTarget, refusalOf, unlessRefused } from '../target.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value that the platform reads. */
function platformValue(data: Buffer): { readonly value: unknown } | undefined {
  return unlessRefused(() => JSON.parse(utf8.decode(data)), SyntaxError, TypeError);
}

function levels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levels));
}

/** JSON is accepted exactly where the platform accepts it, with the same values, at once and in pieces. */
export const target: FuzzTarget = {
  seeds: [
    '{"a":[1,-0,0.1,1e400,12345678901234567890],"b":{"__proto__":null,"a":"\\ud800\\u0000"}}',
    '[[[[]]],"",true,false,null]',
    '{"a":1,"a":2,"":{"x":[{"y":1,"y":2}]}}',
    ' \t\r\n{ } ',
  ],
  words: ['"__proto__"', '\\u', 'null', 'true', 'e+', '\ufeff'],
  check(data) {
    const read = unlessRefused(() => parseJson(data), JsonSyntaxError);
    const platform = platformValue(data);
    if (platform === undefined) assert.equal(read, undefined, 'the platform refuses it');
    else if (read === undefined)
      assert.ok(levels(platform.value) > MAX_JSON_DEPTH, 'the platform accepts it');
    else assert.ok(jsonEquals(JSON.parse(jsonText(read.value)), platform.value), 'the value of the platform');

    assert.equal(
      refusalOf(() => atOnce(parseJsonInPieces(data, {}, 16)), JsonSyntaxError),
      refusalOf(() => parseJson(data), JsonSyntaxError),
    );
    if (read === undefined) return;
    assert.ok(jsonEquals(atOnce(parseJsonInPieces(data, {}, 16)), read.value), 'in pieces');
    assert.ok(jsonEquals(parseJson(encodeJson(read.value)), read.value), 'encoded and read again');
    assert.deepEqual(atOnce(findDuplicateKeysInPieces(data)), findDuplicateKeys(data));
  },
};
