import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { template } from '../testing/workloads.ts';
import { hashOf, randomName, stableText } from './template.ts';

describe('names by templates', () => {
  it('the hash depends neither on the order of fields nor on unset ones', () => {
    const { metadata, spec } = template;
    assert.equal(hashOf({ spec, metadata, status: null, other: undefined }), hashOf(template));
  });

  it('another template, and another number of collisions, lead to another hash', () => {
    const other = { ...template, spec: { containers: [{ name: 'main', image: 'web:2' }] } };
    const hashes = [hashOf(template), hashOf(other), hashOf(template, 1), hashOf(template, 2)];
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it('the order of list items matters', () => assert.notEqual(stableText([1, 2]), stableText([2, 1])));

  it('a generated name is a valid one, however long the prefix is', () => {
    const name = randomName('a'.repeat(253), seededRandom(1));
    assert.match(name, /^a{57}-[a-z0-9]{5}$/);
  });
});
