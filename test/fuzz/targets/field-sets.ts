import assert from 'node:assert/strict';
import { FieldSet, readFields, writeFields } from '@orch/apply';
import { JsonSyntaxError, parseJson } from '@orch/machinery/json';
import { type FuzzTarget, unlessRefused } from '../target.ts';

const MAX_FIELDS = 10_000;

/** A set of fields is refused, or written so that the same set is read again. */
export const target: FuzzTarget = {
  seeds: [
    '{"f:metadata":{"f:labels":{".":{},"f:a/b":{}}},"f:spec":{"f:ports":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:name":{}}}}}',
    '{"f:finalizers":{"v:\\"x\\"":{},"v:1":{},"v:true":{},"v:null":{}},"f:args":{"i:0":{},"i:10":{}}}',
    '{"f:":{},"k:{}":{},"z:1":{}}',
  ],
  words: ['"f:', '"k:{', '"v:\\"', '"i:', '".":{}', '\\"'],
  check(data) {
    const raw = unlessRefused(() => parseJson(data), JsonSyntaxError);
    if (raw === undefined) return;
    const set = readFields(raw.value, MAX_FIELDS);
    if (!(set instanceof FieldSet)) return;
    const written = JSON.stringify(writeFields(set));
    const again = readFields(JSON.parse(written), MAX_FIELDS);
    assert.ok(again instanceof FieldSet);
    assert.equal(JSON.stringify(writeFields(again)), written);
  },
};
