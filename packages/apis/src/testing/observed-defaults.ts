import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isJsonObject } from '@orch/machinery/json';
import type { Release } from '../release.ts';
import type { ResourceType } from '../resource-type.ts';
import { type WritePath, writePath } from './write-path.ts';

/** A minimal object, and every leaf that the server adds or removes. */
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
      ? Object.entries(value).map(([key, field]) => {
          const segment = plain.test(key) ? `${path === '' ? '' : '.'}${key}` : `[${key}]`;
          return [`${path}${segment}`, field] as const;
        })
      : [];
  return entries.length === 0 ? [[path, value]] : entries.flatMap(([at, field]) => leaves(field, at));
}

/** Set by the server for every kind, so not part of the fixture. */
const common = new Set(['metadata.creationTimestamp', 'metadata.namespace', 'metadata.generation']);

/** An empty object or list that was given is not an addition. */
const isEmptyIn = (before: ReadonlyMap<string, unknown>, at: string, value: unknown): boolean =>
  typeof value === 'object' && value !== null && before.has(at);

/**
 * Runs a fixture: minimal objects are stored with exactly the observed fields. `client` is a release or a write path
 * through a version; by default the default release and the hub.
 */
export function describeObservedDefaults(
  fixture: URL,
  typeOf: (kind: string) => ResourceType,
  client: Release | WritePath = writePath(),
): void {
  const lines = readFileSync(fixture, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  describe('defaults of new objects, without what admission adds', () => {
    const path = typeof client === 'string' ? writePath(undefined, client) : client;
    for (const { title, kind, given, added, dropped = [] } of lines) {
      it(title, () => {
        const type = typeOf(kind);
        const { object, problems, errors } = path.create(type, given);
        assert.deepEqual([problems, errors], [[], []]);
        const before = new Map(leaves(given));
        const after = leaves(path.show(type, object)).filter(([at]) => !common.has(at));
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
}
