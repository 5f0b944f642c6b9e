import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { cloneJson } from '@orch/machinery/json';
import type { Release } from '../release.ts';
import type { ResourceType } from '../resource-type.ts';
import { expand, setPath } from './set-path.ts';
import { type WritePath, type Written, writePath } from './write-path.ts';

/** A line of a fixture: the valid object of a kind, or a change to it and its result. */
interface Line {
  readonly kind: string;
  readonly base?: Readonly<Record<string, unknown>>;
  /** Fields that the server adds to `base` when storing it. */
  readonly allocated?: Readonly<Record<string, unknown>>;
  readonly do?: 'create' | 'update';
  readonly set?: Readonly<Record<string, unknown>>;
  /** Reason and field of every error, each once, in any order. */
  readonly errors?: readonly (readonly [reason: string, field: string])[];
  readonly accepted?: true;
  /** The body is malformed: a 400. */
  readonly undecodable?: true;
  /** Why the outcome differs from that of release 1.20 with its admission plugins. */
  readonly since?: string;
}

const title = ({ do: operation, set }: Line): string =>
  `${operation} with ${JSON.stringify(set).slice(0, 160)}`;

function outcome(written: Written): unknown {
  if (written.problems.length > 0) return 'undecodable';
  const distinct = new Set(written.errors.map(({ type, field }) => JSON.stringify([type, field])));
  return distinct.size === 0 ? 'accepted' : [...distinct].sort();
}

function expected(line: Line): unknown {
  if (line.undecodable) return 'undecodable';
  if (line.accepted) return 'accepted';
  return (line.errors ?? []).map((error) => JSON.stringify(error)).sort();
}

/**
 * Runs a fixture: every change to a valid object has the observed outcome. `client` is a release or a write path
 * through a version; by default the default release and the hub.
 */
export function describeObserved(
  fixture: URL,
  typeOf: (kind: string) => ResourceType,
  client: Release | WritePath = writePath(),
): void {
  const lines = readFileSync(fixture, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const path = typeof client === 'string' ? writePath(undefined, client) : client;
  for (const { kind, base, allocated = {} } of lines.filter((line) => line.base !== undefined)) {
    describe(`validation of ${kind}`, () => {
      const type = typeOf(kind);
      const stored = path.create(type, base);
      for (const [at, value] of Object.entries(allocated)) setPath(stored.object, at, value);
      it('the validation accepts the valid object', () => assert.equal(outcome(stored), 'accepted'));
      for (const line of lines.filter((one) => one.kind === kind && one.base === undefined)) {
        it(title(line), () => {
          const input = cloneJson(line.do === 'update' ? path.show(type, stored.object) : base) as Record<
            string,
            unknown
          >;
          for (const [at, value] of Object.entries(line.set ?? {})) setPath(input, at, expand(value));
          const written =
            line.do === 'update' ? path.update(type, stored.object, input) : path.create(type, input);
          assert.deepEqual(outcome(written), expected(line));
        });
      }
    });
  }
}
