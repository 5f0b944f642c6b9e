import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JsonSyntaxError } from '@orch/machinery/json';
import { deletingStates, unchangedStates } from './unparsed-states.ts';

const json = Buffer.from('{"metadata":{"name":"a"}}');

describe('the states around a write', () => {
  it('the states around a write are parsed when they are first read', () => {
    const states = unchangedStates(Buffer.from('no JSON'));
    assert.throws(() => states.object, JsonSyntaxError);
  });

  it('the states around a write are one object, parsed once, when the write changes nothing', () => {
    const { object, oldObject } = unchangedStates(json);
    assert.deepEqual(object, { metadata: { name: 'a' } });
    assert.equal(oldObject, object);
  });

  it('the states around a write have no new object when the write is a deletion', () => {
    const { object, oldObject } = deletingStates(json);
    assert.equal(object, undefined);
    assert.deepEqual(oldObject, { metadata: { name: 'a' } });
  });
});
