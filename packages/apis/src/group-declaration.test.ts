import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { versionPriority } from './group-declaration.ts';
import { builtinGroups, builtinTypes, findGroup } from './registry.ts';

const declared = builtinTypes.flatMap(({ group, versions }) =>
  versions.map(({ group: own = group, version }) => ({ group: own, version })),
);

describe('declarations of API groups', () => {
  it('a group is declared once, and has a name under both namings', () => {
    assert.equal(new Set(builtinGroups.map(({ key }) => key)).size, builtinGroups.length);
    for (const { key } of builtinGroups)
      for (const naming of ['orch', 'kubernetes'] as const)
        assert.equal(typeof namesFor(naming).group(key), 'string');
  });

  it('each resource is declared in the list of its group', () => {
    for (const { key, types } of builtinGroups) for (const { group } of types) assert.equal(group, key);
  });

  it('every version of a built-in resource has a priority in its group, except those of API services themselves', () => {
    for (const { group, version } of declared) {
      const priority = findGroup(group)?.versionPriorities[version];
      assert.equal(priority !== undefined, group !== 'apiregistration', `${group}/${version}`);
    }
  });

  it('priorities and the order of versions name only versions that a resource has', () => {
    const has = (key: string, name: string): boolean =>
      declared.some(({ group, version }) => group === key && version === name);
    for (const { key, versionPriorities, versionOrder = [] } of builtinGroups)
      for (const version of [...Object.keys(versionPriorities), ...versionOrder])
        assert.ok(has(key, version), `${key}/${version}`);
  });

  it('a version that came back for other kinds has the priority of its release', () => {
    const priorities = (key: string): readonly unknown[] =>
      ['1.15', '1.32', '1.34', '1.37'].map((release) => {
        const group = findGroup(key);
        return group && versionPriority(group, 'v1beta1', release);
      });
    assert.deepEqual(priorities('coordination'), [9, 9, 13, 13]);
    assert.deepEqual(priorities('scheduling'), [12, 12, 12, 9]);
  });
});
