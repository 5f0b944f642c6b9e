import assert from 'node:assert/strict';
import { equalSets, intersection } from '../fields/set-algebra.ts';
import { FieldSet, managedFieldsOf, pathText, type RawEntry, readFields, writeFields } from '../index.ts';
import { conform, existingOnly } from '../typed/restrict.ts';
import type { Cluster } from './cluster.ts';

const neverOwned = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
];

function setOf(entry: RawEntry): FieldSet {
  const set = readFields(entry['fieldsV1'], Number.POSITIVE_INFINITY);
  assert.ok(set instanceof FieldSet, 'the set of every entry can be read');
  return set;
}

function checkEntry(entry: RawEntry): void {
  const set = setOf(entry);
  assert.ok(!set.isEmpty, 'every listed manager owns a field');
  assert.equal(
    JSON.stringify(writeFields(set)),
    JSON.stringify(entry['fieldsV1']),
    'sets are stored in their order',
  );
  assert.equal(entry['fieldsType'], 'FieldsV1');
  assert.match(String(entry['time']), /^2024-01-01T/);
  assert.equal(set.at(['f:apiVersion']), undefined);
  assert.equal(set.at(['f:kind']), undefined);
  for (const name of neverOwned) {
    assert.equal(set.at(['f:metadata', `f:${name}`]), undefined, `metadata.${name} has no owner`);
  }
}

/** Every owned path exists in the object in the version of its owner. */
function checkExistence(cluster: Cluster, entry: RawEntry): void {
  const apiVersion = String(entry['apiVersion']);
  const shapes = cluster.versions.shapes(apiVersion);
  if (shapes === undefined || cluster.live === undefined) return;
  const converted =
    apiVersion === 'test/v1' ? cluster.live : cluster.versions.convert(cluster.live, 'test/v1', apiVersion);
  const set = conform(setOf(entry), shapes.root);
  const existing = existingOnly(set, converted, shapes.root);
  const missing = [...set.paths()].filter((path) => !existing.has(path)).map(pathText);
  assert.deepEqual(missing, [], `${entry['manager']} owns what is not there`);
}

/** Two updaters in one version never own the same field: the last writer owns it. */
function checkUpdaters(entries: readonly RawEntry[]): void {
  const updaters = entries.filter((entry) => entry['operation'] === 'Update');
  updaters.forEach((a, i) => {
    for (const b of updaters.slice(i + 1)) {
      if (a['apiVersion'] !== b['apiVersion']) continue;
      const both = intersection(setOf(a), setOf(b));
      assert.deepEqual([...both.paths()].map(pathText), [], `${a['manager']} and ${b['manager']} both own`);
    }
  });
}

function checkOrder(entries: readonly RawEntry[]): void {
  const keys = entries.map((entry) => `${entry['operation']} ${entry['time']} ${entry['manager']}`);
  assert.deepEqual(keys, [...keys].sort(), 'entries are in their order');
}

/** Checks the invariants of every object after every write. */
export function checkInvariants(cluster: Cluster, mayBeAbsent: boolean): void {
  const entries = (managedFieldsOf(cluster.live) ?? []) as readonly RawEntry[];
  for (const entry of entries) {
    checkEntry(entry);
    if (!mayBeAbsent) checkExistence(cluster, entry);
  }
  checkUpdaters(entries);
  checkOrder(entries);
  for (const a of entries) {
    const twins = entries.filter((b) => b !== a && equalSets(setOf(a), setOf(b)) && ids(a) === ids(b));
    assert.equal(twins.length, 0, 'every manager has one entry');
  }
}

const ids = (entry: RawEntry): string =>
  JSON.stringify([entry['manager'], entry['operation'], entry['subresource'], entry['apiVersion']]);
