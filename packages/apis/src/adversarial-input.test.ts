import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { cloneJson, isJsonObject } from '@orch/machinery/json';
import fc from 'fast-check';
import { builtinTypes } from './registry.ts';
import { writePath } from './testing/write-path.ts';

/** Valid objects of every kind, and richer ones from the defaults fixture. */
const samples: readonly { readonly kind: string; readonly object: Readonly<Record<string, unknown>> }[] = [
  ...[
    'core/observed-validation',
    'coordination/lease/observed-validation',
    'flowcontrol/observed-validation',
    'node/runtime-class/observed-validation',
    'rbac/observed-validation',
    'scheduling/priority-class/observed-validation',
    'storage/observed-validation',
    'autoscaling/horizontal-pod-autoscaler/observed/v2beta2/observed-validation',
    'discovery/endpoint-slice/observed-validation',
    'networking/observed-validation',
    'policy/observed-validation',
    'core/observed-defaults',
  ].flatMap((name) =>
    readFileSync(new URL(`${name}.fixture.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { kind: string; base?: object; given?: object })
      .flatMap(({ kind, base, given }) => {
        const object = base ?? given;
        return object === undefined ? [] : [{ kind, object: object as Readonly<Record<string, unknown>> }];
      }),
  ),
];

/** Every object and list within a JSON value. */
function containers(value: unknown): readonly (Record<string, unknown> | unknown[])[] {
  if (Array.isArray(value)) return [value, ...value.flatMap(containers)];
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(containers)] : [];
}

/** Replaces one field somewhere, chosen by two numbers, by any JSON value. */
function mutate(object: unknown, where: number, which: number, value: unknown): void {
  const all = containers(object);
  const at = all[where % all.length];
  if (at === undefined) return;
  if (Array.isArray(at)) at[which % (at.length + 1)] = value;
  else {
    const keys = [...Object.keys(at), 'status', 'spec', 'metadata'];
    at[keys[which % keys.length] ?? ''] = value;
  }
}

/** Unusual values on which a careless rule would fail, and any other ones. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    Number.MAX_VALUE,
    2 ** 53,
    [],
    {},
    [null],
    [[]],
    { a: null },
    '1e999',
    '٣',
    'a/b/c',
    '\u0000',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

describe('adversarial input', () => {
  const path = writePath(namesFor('orch'), '1.27');
  for (const { kind, object } of samples) {
    const type = builtinTypes.find((one) => one.kind === kind);
    assert.ok(type);
    it(`adversarial input for ${kind} is rejected or accepted without a crash, on create, update and in tables`, () => {
      const mutation = fc.tuple(fc.nat(), fc.nat(), anyValue);
      fc.assert(
        fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
          const input = cloneJson(object);
          for (const [where, which, value] of mutations) mutate(input, where, which, cloneJson(value));
          const created = path.create(type, input);
          const stored = path.create(type, object).object;
          path.update(type, stored, input);
          for (const name of Object.keys(type.strategy.through ?? {})) path.update(type, stored, input, name);
          if (created.problems.length === 0) {
            type.table?.cells(created.object, path.names);
            for (const value of Object.values(type.fields))
              assert.equal(typeof value(created.object), 'string');
          }
        }),
        { numRuns: 60 },
      );
    });
  }
});
