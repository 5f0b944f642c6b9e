import assert from 'node:assert/strict';
import type { MutableJsonObject } from '@orch/machinery/json';
import {
  type ApplyResult,
  type FieldPath,
  FieldSet,
  managedFieldsOf,
  pathText,
  type RawEntry,
  readFields,
} from '../index.ts';
import { Cluster, type ClusterKind, type Via } from './cluster.ts';
import { checkInvariants } from './invariants.ts';

/** The expected outcome of a step: it is stored (by default), it changes nothing, or it fails. */
export type Expected =
  | 'stored'
  | 'unchanged'
  | { readonly conflicts: readonly string[] }
  | { readonly refused: string };

export interface Step {
  readonly what: string;
  run(cluster: Cluster): void;
}

const sections = ['metadata', 'spec', 'status'];

/** A part of an object: what names no section is a spec. */
function partOf(part: MutableJsonObject): MutableJsonObject {
  const names = Object.keys(part);
  return names.length === 0 || names.some((name) => sections.includes(name)) ? part : { spec: part };
}

function outcomeOf(result: ApplyResult): Expected {
  switch (result.kind) {
    case 'applied':
      return result.changed ? 'stored' : 'unchanged';
    case 'conflict':
      return { conflicts: result.conflicts.map(({ owner, field }) => `${owner.manager} ${field}`) };
    case 'refused':
      return { refused: result.message };
  }
}

/** An apply. `part` is a spec unless it has `metadata`, `spec` or `status`. */
export const apply = (
  manager: string,
  part: MutableJsonObject,
  via: Via & { readonly expect?: Expected } = {},
): Step => ({
  what: `${manager} applies ${JSON.stringify(part)}`,
  run(cluster) {
    const before = cluster.revision;
    const result = cluster.apply(manager, partOf(part), via);
    assert.deepEqual(outcomeOf(result), via.expect ?? 'stored');
    assert.equal(cluster.revision - before, result.kind === 'applied' && result.changed ? 1 : 0);
  },
});

export const force = (manager: string, part: MutableJsonObject, via: Via = {}): Step =>
  apply(manager, part, { ...via, force: true });

/** A merge patch; the first one creates the object. */
export const update = (
  manager: string,
  part: MutableJsonObject,
  via: Via & { readonly expect?: 'unchanged' } = {},
): Step => ({
  what: `${manager} updates ${JSON.stringify(part)}`,
  run(cluster) {
    const before = cluster.revision;
    cluster.patch(manager, partOf(part), via);
    assert.equal(cluster.revision - before, via.expect === 'unchanged' ? 0 : 1);
  },
});

/** The whole spec is replaced: absent fields are removed. */
export const replace = (manager: string, part: MutableJsonObject): Step => ({
  what: `${manager} replaces the spec by ${JSON.stringify(part)}`,
  run(cluster) {
    cluster.put(manager, {
      ...(cluster.live ?? {}),
      apiVersion: 'test/v1',
      kind: 'Deck',
      metadata: { name: 'd', ...((cluster.live?.['metadata'] ?? {}) as MutableJsonObject) },
      spec: part,
    });
  },
});

/** Anything else that happens to the cluster. */
export const event = (what: string, run: (cluster: Cluster) => void): Step => ({ what, run });

/** Operation n of a scenario happens n seconds after the start. */
export const timeOfStep = (step: number): string => `2024-01-01T00:00:${String(step).padStart(2, '0')}Z`;

/** Paths that a manager owns; `'*'` when they do not matter here. */
export type Owned = readonly string[] | '*';

export interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
  /** Values by dotted path; undefined for absent ones. */
  readonly object?: Readonly<Record<string, unknown>>;
  /**
   * All owners of fields: appliers by name, updaters as `name:update`, with `/subresource` and `@version` when
   * those are not the object itself and `v1`. Paths below `spec` are written without it: `.replicas`.
   */
  readonly owners?: Readonly<Record<string, Owned>>;
  /** Times by owner. */
  readonly times?: Readonly<Record<string, string>>;
  /** Owned paths that need not exist: what was applied as null or as the zero of an optional field. */
  readonly mayBeAbsent?: boolean;
  readonly kind?: ClusterKind;
}

function ownerName(entry: RawEntry): string {
  const operation = entry['operation'] === 'Update' ? ':update' : '';
  const subresource = entry['subresource'] === undefined ? '' : `/${entry['subresource']}`;
  const version = String(entry['apiVersion']).replace('test/', '');
  return `${entry['manager']}${operation}${subresource}${version === 'v1' ? '' : `@${version}`}`;
}

const shortPath = (path: FieldPath): string => {
  const text = pathText(path);
  return text.startsWith('.spec.') ? text.slice('.spec'.length) : text;
};

function ownedPaths(entry: RawEntry): string[] {
  const set = readFields(entry['fieldsV1'], Number.POSITIVE_INFINITY);
  assert.ok(set instanceof FieldSet);
  return [...set.paths()].map(shortPath);
}

/** The owners of fields in an object, as scenarios write them. */
export function ownersOf(object: MutableJsonObject | undefined): Record<string, string[]> {
  const entries = (managedFieldsOf(object) ?? []) as readonly RawEntry[];
  return Object.fromEntries(entries.map((entry) => [ownerName(entry), ownedPaths(entry)]));
}

function valueAt(object: unknown, path: string): unknown {
  let at = object;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as MutableJsonObject)[name];
  }
  return at;
}

function checkOwners(actual: Record<string, string[]>, expected: Readonly<Record<string, Owned>>): void {
  const compared = Object.fromEntries(
    Object.entries(actual).map(([name, paths]) => [name, expected[name] === '*' ? '*' : [...paths].sort()]),
  );
  const wanted = Object.fromEntries(
    Object.entries(expected).map(([name, paths]) => [name, paths === '*' ? '*' : [...paths].sort()]),
  );
  assert.deepEqual(compared, wanted);
}

function checkEnd(cluster: Cluster, scenario: Scenario): void {
  for (const [path, value] of Object.entries(scenario.object ?? {})) {
    assert.deepEqual(valueAt(cluster.live, path), value, path);
  }
  if (scenario.owners !== undefined) checkOwners(ownersOf(cluster.live), scenario.owners);
  const entries = (managedFieldsOf(cluster.live) ?? []) as readonly RawEntry[];
  const times = Object.fromEntries(entries.map((entry) => [ownerName(entry), entry['time']]));
  for (const [owner, time] of Object.entries(scenario.times ?? {}))
    assert.equal(times[owner], time, `time of ${owner}`);
}

/** Runs one scenario: invariants hold after every step, the object and its owners are as expected at the end. */
export function runScenario(scenario: Scenario): void {
  const cluster = new Cluster(scenario.kind);
  for (const step of scenario.steps) {
    try {
      step.run(cluster);
      checkInvariants(cluster, scenario.mayBeAbsent === true);
    } catch (cause) {
      if (cause instanceof Error) cause.message = `${step.what}: ${cause.message}`;
      throw cause;
    }
  }
  checkEnd(cluster, scenario);
}
