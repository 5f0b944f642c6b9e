import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Interner, ownString } from './interner.ts';

describe('Interner of label sets', () => {
  it('equal label sets are shared independent of key order, and different ones are not', () => {
    const interner = new Interner();
    const a = interner.labels({ app: 'x', tier: 'y' }, undefined);
    assert.equal(interner.labels({ tier: 'y', app: 'x' }, undefined), a);
    assert.equal(interner.labels({ tier: 'y', app: 'x' }, a), a);
    for (const other of [{ app: 'y', tier: 'x' }, { app: 'x' }, { app: 'x', tier: 'y', z: '' }, {}]) {
      assert.notEqual(interner.labels(other, undefined), a);
      assert.deepEqual({ ...interner.labels(other, a).labels }, other);
    }
    assert.equal(interner.labelSets, 5);
  });

  it('labels named like inherited object properties are compared correctly', () => {
    const interner = new Interner();
    const adversarial = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}') as Record<
      string,
      string
    >;
    const set = interner.labels(adversarial, undefined);
    assert.deepEqual(Object.entries(set.labels), Object.entries(adversarial));
    assert.equal(interner.labels({}, undefined).labels['constructor'], undefined);
  });

  it('unused label sets are removed', () => {
    const interner = new Interner();
    const kept = interner.labels({ keep: 'me' }, undefined);
    for (let i = 0; i < 5000; i++) interner.labels({ n: String(i) }, undefined);
    interner.sweep((visit) => visit(kept));
    assert.equal(interner.labelSets, 1);
    assert.equal(interner.labels({ keep: 'me' }, undefined), kept);
  });

  it('ownString returns an equal string', () => {
    for (const text of [
      'short',
      'x'.repeat(40),
      '\u00fc'.repeat(20),
      '\ud800'.repeat(20),
      '\u540d'.repeat(20),
    ]) {
      assert.equal(ownString(text), text);
    }
  });
});
