import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { StructureChecks } from './structure-checks.ts';

const definition = (uid: string, generation: number, type?: string): ApiObject => ({
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions/v1',
  metadata: { name: 'things.example.com', uid, generation },
  spec: {
    versions: [
      { name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type } } } } },
    ],
  },
});

describe('checks whether the schemas of a definition are structural', () => {
  it('structure checks of a definition are made again for each generation, for another definition of the name, and after its deletion', () => {
    const checks = new StructureChecks(namesFor('orch'));
    const isReported = (one: ApiObject): boolean => checks.conditionOf(one)?.type === 'NonStructuralSchema';
    assert.equal(isReported(definition('a', 1, 'string')), false);
    assert.equal(isReported(definition('a', 2)), true);
    assert.equal(isReported(definition('b', 2, 'string')), false);
    checks.delete('things.example.com');
    assert.equal(isReported(definition('b', 2)), true);
  });

  it('structure checks of a definition are known as made for the generation that was checked only', () => {
    const checks = new StructureChecks(namesFor('orch'));
    assert.equal(checks.has(definition('a', 1)), false);
    checks.conditionOf(definition('a', 1));
    assert.equal(checks.has(definition('a', 1)), true);
    assert.equal(checks.has(definition('a', 2)), false);
    assert.equal(checks.has(definition('b', 1)), false);
  });

  it('structure checks of a definition are not repeated for the same generation', () => {
    const checks = new StructureChecks(namesFor('orch'));
    const first = checks.conditionOf(definition('a', 1));
    assert.ok(first !== undefined);
    assert.equal(checks.conditionOf(definition('a', 1)), first);
  });
});
