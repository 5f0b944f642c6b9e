import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typeIn, typesAt } from './lifecycle.ts';
import {
  compareVersions,
  groupVersionsBefore,
  preferredVersion,
  storedVersionAt,
} from './preferred-version.ts';
import { builtinTypes } from './registry.ts';
import type { KindVersion, ResourceType } from './resource-type.ts';

describe('version names', () => {
  it('version names are ordered from stable to alpha, and from high to low', () => {
    const names = [
      'v1',
      'v2alpha1',
      'v10',
      'v1beta2',
      'foo10',
      'v2',
      'v3beta1',
      'v11alpha2',
      'v1beta10',
      'bar',
    ];
    assert.deepEqual(names.toSorted(compareVersions), [
      ...['v10', 'v2', 'v1', 'v3beta1', 'v1beta10', 'v1beta2', 'v11alpha2', 'v2alpha1', 'bar', 'foo10'],
    ]);
  });
});

const [base] = builtinTypes;
assert.ok(base);

type Life = readonly [
  version: string,
  introduced: string,
  removed?: string | undefined,
  more?: Partial<KindVersion>,
];

const definition = (lives: readonly Life[], more: Partial<ResourceType> = {}): ResourceType => ({
  ...base,
  versions: lives.map(([version, introduced, removed, rest]) => ({
    version,
    schema: { kind: 'struct', name: version, doc: '', fields: [] },
    introduced,
    ...(removed === undefined ? {} : { removed }),
    ...rest,
  })),
  ...more,
});

/** The group of the specification's timeline, introduced in 1.20. */
const timeline = definition([
  ['v2', '1.32'],
  ['v1', '1.25'],
  ['v2beta2', '1.31', '1.35'],
  ['v2beta1', '1.30', '1.34'],
  ['v1beta2', '1.23', '1.28'],
  ['v1beta1', '1.22', '1.26'],
  ['v2alpha2', '1.29', '1.30'],
  ['v2alpha1', '1.28', '1.29'],
  ['v1alpha2', '1.21', '1.22'],
  ['v1alpha1', '1.20', '1.21'],
]);

describe('the stored version (spec 9.3, rule 4b)', () => {
  for (const [release, stored] of [
    ['1.19', undefined],
    ['1.20', 'v1alpha1'],
    ['1.21', 'v1alpha2'],
    ['1.22', 'v1beta1'],
    ['1.23', 'v1beta1'],
    ['1.24', 'v1beta2'],
    ['1.25', 'v1beta2'],
    ['1.26', 'v1'],
    ['1.27', 'v1'],
    ['1.28', 'v1'],
    ['1.29', 'v1'],
    ['1.30', 'v1'],
    ['1.31', 'v1'],
    ['1.32', 'v1'],
    ['1.33', 'v2'],
    ['1.34', 'v2'],
    ['1.35', 'v2'],
  ] as const) {
    it(`the stored version of the illustrative timeline is ${stored} in ${release}`, () => {
      assert.equal(storedVersionAt(release, timeline)?.version, stored);
    });
  }

  it('the stored version can always be read by the release before, from the first version that is served by default', () => {
    for (let minor = 23; minor <= 36; minor++) {
      const stored = storedVersionAt(`1.${minor}`, timeline);
      const before = typesAt(`1.${minor - 1}`, [timeline])[0];
      assert.ok(stored !== undefined && before?.served.includes(stored), `1.${minor}`);
    }
  });

  it('the stored version is not an alpha version that is off, even where the release before had it', () => {
    const graduated = definition([
      ['v1beta1', '1.20'],
      ['v1alpha1', '1.18', '1.21'],
    ]);
    assert.equal(storedVersionAt('1.20', graduated)?.version, 'v1beta1');
    assert.equal(storedVersionAt('1.19', graduated)?.version, 'v1alpha1');
  });

  it('the stored version is the first of equals, in the order of the resource definition', () => {
    const moved = definition([
      ['v1beta1', '1.14'],
      ['v1beta1', '1.1', undefined, { group: 'extensions' }],
    ]);
    assert.equal(storedVersionAt('1.15', moved), moved.versions[0]);
  });

  it('the stored version is the one that the resource definition sets, in releases that have it', () => {
    const lives = [
      ['v1', '1.19'],
      ['v1', '1.0', '1.22', { group: 'extensions' }],
    ] as const;
    const kept = definition(lives, { storedVersion: 'v1', storedGroup: 'extensions' });
    assert.equal(storedVersionAt('1.21', kept), kept.versions[1]);
    assert.equal(storedVersionAt('1.22', kept), kept.versions[0]);
  });
});

describe('a resource definition in one of its versions', () => {
  const view = { name: 'status', verbs: ['get'], behaviour: 'status' } as const;
  const kind = (version: string, group = base.group, name = base.kind) => ({ group, version, kind: name });
  const type = definition(
    [
      ['v1', '1.0'],
      [
        'v1beta1',
        '1.0',
        undefined,
        {
          group: 'extensions',
          differs: {
            kind: 'Other',
            shortNames: ['o'],
            strategy: { orphanByDefault: true },
            subresources: [
              { ...view, kind: kind('v1') },
              { ...view, name: 'old', kind: kind('v1'), removed: '1.20' },
            ],
          },
        },
      ],
    ],
    { subresources: [{ ...view, kind: kind('v1') }] },
  );
  const at = (release: string, version: number) => {
    const [served] = typesAt(release, [type]);
    const found = served?.served[version];
    assert.ok(served !== undefined && found !== undefined);
    return typeIn(served, found);
  };

  it('a resource definition in one version has the differences of that version', () => {
    const hub = at('1.20', 0);
    assert.deepEqual([hub.kind, hub.shortNames, hub.strategy], [base.kind, base.shortNames, base.strategy]);
    const older = at('1.20', 1);
    assert.deepEqual([older.kind, older.shortNames], ['Other', ['o']]);
    assert.deepEqual(older.strategy, { ...base.strategy, orphanByDefault: true });
  });

  it('a resource definition in one version has the subresources that the release has, and shows itself there in its own version', () => {
    const names = (release: string) => at(release, 1).subresources.map(({ name }) => name);
    assert.deepEqual([names('1.19'), names('1.20')], [['status', 'old'], ['status']]);
    assert.deepEqual(at('1.20', 0).subresources[0]?.kind, kind('v1'));
    const own = { ...type, versions: type.versions.map((one) => ({ ...one, differs: {} })) };
    const [served] = typesAt('1.20', [own]);
    const found = served?.served[1];
    assert.ok(served !== undefined && found !== undefined);
    assert.deepEqual(typeIn(served, found).subresources[0]?.kind, kind('v1beta1', 'extensions'));
  });

  it('a resource definition in one version is among the group versions that a release had before, when it was served by default', () => {
    assert.deepEqual(
      [...groupVersionsBefore('1.20', [type])].sort(),
      [`${base.group}/v1`, 'extensions/v1beta1'].sort(),
    );
    assert.deepEqual([...groupVersionsBefore('1.20', [timeline])], []);
    assert.deepEqual(
      [...groupVersionsBefore('1.24', [timeline])],
      [`${base.group}/v1beta2`, `${base.group}/v1beta1`],
    );
  });
});

describe('served versions', () => {
  it('served versions leave out alpha versions, and versions that are disabled by default, unless they are enabled', () => {
    const type = definition([
      ['v1', '1.0'],
      ['v1beta1', '1.0', undefined, { servedByDefault: false }],
      ['v1alpha1', '1.0'],
      ['v1alpha2', '1.0', undefined, { servedByDefault: true }],
    ]);
    const versions = (enabled?: () => boolean) =>
      typesAt('1.20', [type], enabled)[0]?.served.map(({ version }) => version);
    assert.deepEqual(versions(), ['v1', 'v1alpha2']);
    assert.deepEqual(
      versions(() => true),
      ['v1', 'v1beta1', 'v1alpha1', 'v1alpha2'],
    );
    assert.equal(
      versions(() => false),
      undefined,
    );
  });

  it('there is no preferred version when none is served', () => {
    assert.equal(
      preferredVersion([], () => true),
      undefined,
    );
  });
});
