import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isJsonObject } from '@orch/machinery';
import { writePath } from '../../testing/write-path.ts';
import { coreV1Types } from './core-v1.ts';

/** A minimal object, and every leaf that the server adds to it or takes away. */
interface Line {
  readonly title: string;
  readonly kind: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly added: readonly (readonly [path: string, value: unknown])[];
  readonly dropped?: readonly string[];
}

const plain = /^[A-Za-z][A-Za-z0-9]*$/;

/** Every leaf of a JSON value by its path; empty objects and lists are leaves. */
function leaves(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item, i) => [`${path}[${i}]`, item] as const)
    : isJsonObject(value)
      ? Object.entries(value).map(([key, member]) => {
          const segment = plain.test(key) ? `${path === '' ? '' : '.'}${key}` : `[${key}]`;
          return [`${path}${segment}`, member] as const;
        })
      : [];
  return entries.length === 0 ? [[path, value]] : entries.flatMap(([at, member]) => leaves(member, at));
}

/** Set by the server for every kind, so not part of the fixture. */
const common = new Set(['metadata.creationTimestamp', 'metadata.namespace', 'metadata.generation']);

const lines = readFileSync(new URL('observed-defaults.fixture.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Line);

describe('defaults of new objects, without what admission adds', () => {
  const path = writePath();
  for (const { title, kind, given, added, dropped = [] } of lines) {
    it(title, () => {
      const type = coreV1Types.find((one) => one.kind === kind);
      assert.ok(type);
      const { object, problems, errors } = path.create(type, given);
      assert.deepEqual([problems, errors], [[], []]);
      const before = new Map(leaves(given));
      const after = leaves(object).filter(([at]) => !common.has(at));
      const found = after.filter(
        ([at, value]) => !Object.is(before.get(at), value) && !isEmptyIn(before, at, value),
      );
      const expected = added.filter(([at]) => !common.has(at));
      assert.deepEqual(Object.fromEntries([...found].sort()), Object.fromEntries([...expected].sort()));
      const now = new Set(after.map(([at]) => at));
      assert.deepEqual(
        [...before.keys()].filter((at) => !now.has(at) && !after.some(([one]) => one.startsWith(at))),
        dropped,
      );
    });
  }
});

/** An empty object or list that was given is not an addition. */
const isEmptyIn = (before: ReadonlyMap<string, unknown>, at: string, value: unknown): boolean =>
  typeof value === 'object' && value !== null && before.has(at);
