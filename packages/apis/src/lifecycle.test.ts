import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jobs } from './batch/job/index.ts';
import { pods } from './core/pod/index.ts';
import { services } from './core/service/index.ts';
import { withOpenParts } from './gates/gated-parts.ts';
import {
  atLeast,
  compareReleases,
  DEFAULT_EMULATED_RELEASE,
  fieldServedIn,
  parseRelease,
  servedIn,
  typesAt,
} from './lifecycle.ts';
import { servedByDefault } from './preferred-version.ts';
import { builtinTypes } from './registry.ts';
import type { ResourceType } from './resource-type.ts';
import { writePath } from './testing/write-path.ts';

const at = (release: string, type: ResourceType): ResourceType => {
  const [definition] = typesAt(release, [type]);
  assert.ok(definition);
  return definition;
};

describe('parsing and order of releases', () => {
  for (const [text, release] of [
    ['1.24', '1.24'],
    ['v1.24', '1.24'],
    ['1.24.17', '1.24'],
    ['1.024', '1.24'],
    ['1', undefined],
    ['1.x', undefined],
    ['1.24.', undefined],
    ['', undefined],
    ['1.24-rc1', undefined],
  ] as const) {
    it(`the text ${JSON.stringify(text)} reads as the release ${release}`, () =>
      assert.equal(parseRelease(text), release));
  }

  it('releases are compared by number, not by text', () => {
    assert.ok(compareReleases('1.9', '1.24') < 0);
    assert.ok(compareReleases('2.0', '1.24') > 0);
    assert.equal(compareReleases('1.24', '1.24'), 0);
    assert.equal(atLeast('1.24', undefined), true);
    assert.equal(atLeast('1.9', '1.10'), false);
  });

  it('releases bound the lifetime of declarations: present from the first, absent from the second', () => {
    const life = { introduced: '1.16', removed: '1.22' };
    assert.deepEqual(
      ['1.15', '1.16', '1.21', '1.22'].map((release) => servedIn(release, life)),
      [false, true, true, false],
    );
  });
});

describe('resource definitions of a release', () => {
  it('resource definitions of a release serve what the default release has, and keep every declared version', () => {
    for (const definition of typesAt(DEFAULT_EMULATED_RELEASE, builtinTypes)) {
      const declared = builtinTypes.find(
        (type) => type.group === definition.group && type.resource === definition.resource,
      );
      assert.equal(definition.versions, declared?.versions);
      assert.deepEqual(
        definition.served,
        definition.versions.filter(
          (version) => servedIn('1.24', version) && servedByDefault('1.24', version),
        ),
      );
    }
  });

  it('resource definitions of a release: services have no deletecollection before 1.23, and answer deletes with a Status', () => {
    const older = at('1.22', services);
    assert.equal(older.verbs.includes('deletecollection'), false);
    assert.equal(older.strategy.deleteReturns, 'Status');
    assert.equal(at('1.23', services).strategy, services.strategy);
  });

  it('resource definitions of a release: pods have no ephemeral containers before 1.23, and older evictions before 1.22', () => {
    const names = (type: ResourceType): readonly string[] => type.subresources.map(({ name }) => name);
    assert.equal(names(at('1.22', pods)).includes('ephemeralcontainers'), false);
    assert.equal(names(at('1.23', pods)).includes('ephemeralcontainers'), true);
    const eviction = at('1.21', pods).subresources.find(({ name }) => name === 'eviction');
    assert.deepEqual([eviction?.kind.version, eviction?.accepts], ['v1beta1', undefined]);
  });

  it('resource definitions of a release: pods show restarts as a number before 1.22', () => {
    const column = (release: string) =>
      at(release, pods).table?.columns.find(({ name }) => name === 'Restarts')?.type;
    assert.deepEqual([column('1.21'), column('1.22')], ['integer', 'string']);
  });

  it('resource definitions of a release: jobs show their status from 1.30 on', () => {
    const columns = (release: string) => {
      const parts = { openGates: new Set<string>(), includes: fieldServedIn(release) };
      return withOpenParts(typesAt(release, [jobs]), parts)[0]?.table?.columns.map(({ name }) => name);
    };
    assert.deepEqual(columns('1.29')?.slice(0, 3), ['Name', 'Completions', 'Duration']);
    assert.deepEqual(columns('1.30')?.slice(0, 3), ['Name', 'Status', 'Completions']);
  });

  it('resource definitions of a release: a gate decides which names services have', () => {
    const formatOf = (release: string, gates: readonly string[], closed: readonly string[] = []) => {
      const openGates = new Set(gates);
      const parts = { openGates, includes: fieldServedIn(release, openGates, new Set(closed)) };
      return withOpenParts(typesAt(release, [services]), parts)[0]?.nameFormat;
    };
    const gate = 'RelaxedServiceNameValidation';
    assert.deepEqual(
      [formatOf('1.34', []), formatOf('1.34', [gate]), formatOf('1.36', []), formatOf('1.36', [], [gate])],
      ['dns1035label', 'dns1123label', 'dns1123label', 'dns1035label'],
    );
  });

  it('a resource definition without a served version is not served', () => {
    const gone: ResourceType = {
      ...services,
      versions: services.versions.map((one) => ({ ...one, removed: '1.20' })),
    };
    assert.deepEqual(typesAt('1.20', [gone]), []);
    assert.equal(typesAt('1.19', [gone]).length, 1);
    assert.deepEqual(typesAt('1.19', [{ ...services, introduced: '1.20' }]), []);
  });
});

describe('fields of a release', () => {
  it('fields of a release are served in the releases that have them, or with the feature gate', () => {
    const field = { since: '1.23', gate: 'Early', until: '1.25' };
    assert.deepEqual(
      ['1.22', '1.23', '1.24', '1.25'].map((release) => fieldServedIn(release)(field)),
      [false, true, true, false],
    );
    assert.equal(fieldServedIn('1.22', new Set(['Early']))(field), true);
    assert.equal(fieldServedIn('1.15')({}), true);
  });

  it('fields of a release are dropped from objects of releases that do not have them', () => {
    const pod = {
      metadata: { name: 'p' },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        os: { name: 'linux' },
        schedulingGates: [{ name: 'a.b/c' }],
      },
    };
    const spec = (release: string): readonly string[] =>
      Object.keys(writePath(undefined, release).create(pods, pod).object['spec'] as object);
    assert.deepEqual(
      ['1.23', '1.24', '1.27'].map((release) => [
        spec(release).includes('os'),
        spec(release).includes('schedulingGates'),
      ]),
      [
        [false, false],
        [true, false],
        [true, true],
      ],
    );
  });
});
