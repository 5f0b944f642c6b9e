import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@orch/machinery/json';
import { testEnv } from '@orch/machinery/testing';
import { countingIterations } from '../testing/event-loop.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const RULES = 300;

/** On a clock by which every piece of work takes a whole turn. */
function open(): Promise<RegistryFixture> {
  const env = testEnv({ seed: 1 });
  let readings = 0;
  Object.assign(env.clock, { monotonic: () => (readings += 10) });
  return RegistryFixture.open({ env });
}

const definitionsOf = ({ names }: RegistryFixture): string =>
  `/apis/${names.group('apiextensions')}/v1/customresourcedefinitions`;

function definition({ names }: RegistryFixture, rule = 'self > 0'): JsonObject {
  const rules = Array.from({ length: RULES }, (_, i) => ({ rule: `${rule} || self == ${i}` }));
  const spec = { type: 'integer', [names.schemaExtensions.validations]: rules };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    metadata: { name: 'things.a.io' },
    spec: {
      group: 'a.io',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

describe('a write whose validation takes long', () => {
  it('a write whose validation takes long lets the event loop do other work between the pieces of the validation of a creation', async () => {
    await using api = await open();
    const { iterations, result } = await countingIterations(api.post(definitionsOf(api), definition(api)));
    assert.equal(result.status, 201);
    assert.ok(iterations >= RULES, `${iterations} iterations`);
  });

  it('a write whose validation takes long lets the event loop do other work between the pieces of the validation of an update, and stores its result', async () => {
    await using api = await open();
    const target = definitionsOf(api);
    await api.post(target, definition(api));
    const { json } = await api.get(`${target}/things.a.io`);
    const changed = { ...json, spec: definition(api, 'self > 1')['spec'] };
    const { iterations, result } = await countingIterations(api.put(`${target}/things.a.io`, changed));
    assert.equal(result.status, 200);
    assert.equal(result.json.metadata.generation, 2);
    assert.ok(iterations >= RULES, `${iterations} iterations`);
  });

  it('a write whose validation takes long is answered with all errors that the pieces found', async () => {
    await using api = await open();
    const { status, json } = await api.post(definitionsOf(api), definition(api, 'self.'));
    assert.equal(status, 422);
    assert.equal(json.details.causes.length, 100);
  });

  it('a write whose validation takes long takes no pieces for schemas that an update leaves as they are', async () => {
    await using api = await open();
    const target = definitionsOf(api);
    await api.post(target, definition(api));
    const body = { metadata: { labels: { a: 'b' } } };
    const patch = api.send('PATCH', `${target}/things.a.io`, {
      body,
      contentType: 'application/merge-patch+json',
    });
    const { iterations, result } = await countingIterations(patch);
    assert.equal(result.status, 200);
    assert.equal(result.json.metadata.labels.a, 'b');
    assert.ok(iterations < RULES / 5, `${iterations} iterations`);
  });
});
