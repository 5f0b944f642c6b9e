import assert from 'node:assert/strict';
import { findType } from '@orch/apis';
import { type ApiObject, type FieldError, namesFor } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { codecCompiler } from '@orch/schema';

const names = namesFor('kubernetes');
const compiler = codecCompiler(names);
const definitions = findType('apiextensions', 'customresourcedefinitions');

/** A definition as it is written: decoded, defaulted, prepared and checked. */
export function written(definition: JsonObject): {
  readonly object: ApiObject;
  readonly violations: readonly FieldError[];
} {
  assert.ok(definitions !== undefined);
  const [hub] = definitions.versions;
  assert.ok(hub !== undefined);
  const codec = compiler.compile(hub.schema);
  const { problems, value } = codec.decode(definition, { defaults: true });
  assert.deepEqual(
    problems.filter(({ kind }) => kind === 'type'),
    [],
  );
  const context = {
    names,
    now: '2024-01-01T00:00:00Z',
    requestVersion: 'apiextensions/v1',
    user: { name: 'tester', groups: [] },
    since: () => true,
    uuid: () => '00000000-0000-4000-8000-000000000001',
  };
  definitions.strategy.prepareForCreate?.(value, context);
  const found = [
    ...codec.validate(value),
    ...(definitions.strategy.validate?.(value, undefined, context) ?? []),
  ];
  return { object: value, violations: found };
}
