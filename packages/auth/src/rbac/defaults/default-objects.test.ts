import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { type DefaultRbacObject, defaultRbacObjects } from './default-objects.ts';

const orch = namesFor('orch');
/** The default objects of a minor release, without additions of this server. */
const optionsOf = (minor: number) => ({
  isSince: (release: string) => minor >= Number(release.split('.')[1]),
  storageMigrations: false,
  podGroups: false,
  explanations: false,
  emptyResources: false,
});
const now = {
  ...optionsOf(27),
  storageMigrations: true,
  podGroups: true,
  explanations: true,
  emptyResources: true,
};

/** Default objects that were observed on servers of three releases. */
const observations = [
  { release: '1.20', minor: 20, file: 'observed-defaults.fixture.jsonl' },
  { release: '1.24', minor: 24, file: 'observed-defaults-1.24.fixture.jsonl' },
  { release: '1.36', minor: 36, file: 'observed-defaults-1.36.fixture.jsonl' },
] as const;

const observedIn = (file: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const keyOf = (kind: unknown, namespace: unknown, name: unknown): string =>
  `${kind} ${namespace ?? ''}/${name}`;

/** In the form of the observations: without the fields of every object, and without empty ones. */
function flattened({ namespace, name, content }: DefaultRbacObject): [string, object] {
  const { kind, metadata, apiVersion: _apiVersion, ...rest } = content;
  const shown = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return [
    keyOf(kind, namespace, name),
    { kind, name, ...(namespace === '' ? {} : { namespace }), ...metadata, ...shown },
  ];
}

const rulesOf = (objects: readonly DefaultRbacObject[], name: string): readonly ApiObject[] => {
  const found = objects.find((object) => object.name === name && object.resource === 'clusterroles');
  assert.ok(found, name);
  return found.content['rules'] as readonly ApiObject[];
};

describe('default roles and bindings', () => {
  for (const { release, minor, file } of observations)
    it(`the default roles and bindings match those of a server of release ${release}`, () => {
      const ours = new Map(defaultRbacObjects(orch, optionsOf(minor)).map(flattened));
      for (const expected of observedIn(file)) {
        const key = keyOf(expected['kind'], expected['namespace'], expected['name']);
        assert.deepEqual(ours.get(key), expected, key);
        ours.delete(key);
      }
      assert.deepEqual([...ours.keys()], []);
    });

  it('control loops have their roles from the release on in which they run without a feature gate', () => {
    const rolesIn = (minor: number): readonly string[] =>
      defaultRbacObjects(orch, optionsOf(minor))
        .filter(({ resource }) => resource === 'clusterroles')
        .map(({ name }) => name);
    const addedIn = (minor: number): readonly string[] => {
      const before = new Set(rolesIn(minor - 1));
      return rolesIn(minor).filter((name) => !before.has(name));
    };
    assert.deepEqual(
      [24, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37].map((minor) =>
        addedIn(minor).map((name) => name.replace('system:controller:', '')),
      ),
      [
        ['ephemeral-volume-controller'],
        [],
        ['legacy-service-account-token-cleaner'],
        ['validatingadmissionpolicy-status-controller'],
        [],
        [],
        ['selinux-warning-controller', 'service-cidrs-controller'],
        ['resource-claim-controller', 'volumeattributesclass-protection-controller'],
        [],
        ['device-taint-eviction-controller'],
        [
          'system:cluster-trust-bundle-discovery',
          'orch-apiserver-serving-clustertrustbundle-publisher',
          'podcertificaterequestcleaner',
        ],
      ],
    );
  });

  it('roles of control loops and rules behind a feature gate exist in releases that have it, where it is enabled', () => {
    const objectsOf = (minor: number, gates: readonly string[]): readonly DefaultRbacObject[] => {
      const { isSince, ...rest } = optionsOf(minor);
      return defaultRbacObjects(orch, {
        ...rest,
        isSince,
        isServed: ({ since = 'never', until = '1.99', gate = '', gatedSince = '' }) =>
          !isSince(until) &&
          ((since !== 'never' && isSince(since)) || (gates.includes(gate) && isSince(gatedSince))),
      });
    };
    const rulesAbout = (resource: string, minor: number, gates: readonly string[]): readonly string[] =>
      objectsOf(minor, gates)
        .filter(({ content }) => JSON.stringify(content.rules ?? []).includes(`"${resource}"`))
        .map(({ name }) => name.replace('system:controller:', ''));
    const jobs = ['WorkloadWithJob'];
    assert.deepEqual(rulesAbout('workloads', 36, []), []);
    assert.deepEqual(rulesAbout('workloads', 36, jobs), ['job-controller']);
    assert.deepEqual(rulesAbout('workloads', 35, jobs), []);
    for (const [minor, verbs] of [
      [36, ['create', 'get', 'list', 'watch']],
      [37, ['create', 'get', 'list', 'patch', 'update', 'watch']],
    ] as const) {
      const rules = rulesOf(objectsOf(minor, jobs), 'system:controller:job-controller');
      assert.deepEqual(rules.at(-1)?.['verbs'], verbs);
    }
    const pools = ['DRAResourcePoolStatus'];
    assert.deepEqual(rulesAbout('resourcepoolstatusrequests', 37, pools), [
      'resourcepoolstatusrequest-controller',
    ]);
    assert.deepEqual(rulesAbout('devicetaintrules', 36, pools), []);
    assert.deepEqual(rulesAbout('devicetaintrules', 36, ['DRADeviceTaintRules']), [
      orch.clusterRoles.scheduler,
      'device-taint-eviction-controller',
    ]);
    const devices = ['DynamicResourceAllocation'];
    assert.deepEqual(rulesAbout('resourceclaims', 30, []), []);
    assert.deepEqual(rulesAbout('resourceclaims', 30, devices), [
      orch.clusterRoles.scheduler,
      'system:node',
      'resource-claim-controller',
    ]);
    assert.deepEqual(rulesAbout('podschedulingcontexts', 32, devices), []);
    assert.deepEqual(rulesAbout('resourceclaims', 34, []), rulesAbout('resourceclaims', 34, devices));
    assert.deepEqual(rulesAbout('servicecidrs', 32, ['MultiCIDRServiceAllocator']), [
      'system:node-proxier',
      'service-cidrs-controller',
    ]);
    const pages = (minor: number, gates: readonly string[]): boolean =>
      JSON.stringify(rulesOf(objectsOf(minor, gates), 'system:monitoring')).includes('/flagz');
    assert.deepEqual([pages(35, []), pages(35, ['ComponentFlagz']), pages(36, [])], [false, true, true]);
  });

  it('no release has two rules of a role that are alike', () => {
    for (let minor = 20; minor <= 37; minor++)
      for (const { name, content } of defaultRbacObjects(orch, optionsOf(minor))) {
        const rules = (content.rules ?? []).map((rule) => JSON.stringify(rule));
        assert.equal(new Set(rules).size, rules.length, `${name} in 1.${minor}`);
      }
  });

  it('the roles for editing do not permit writing Endpoints, in releases since 1.22', () => {
    const changed = defaultRbacObjects(orch, now).flatMap(({ content }) =>
      Object.values(content.metadata.labels ?? {}).includes('true')
        ? ((content['rules'] as object[] | null) ?? [])
        : [],
    );
    const writing = changed.filter(
      (rule) =>
        isJsonObject(rule) &&
        String(rule['resources']).includes('endpoints') &&
        String(rule['verbs']).includes('update'),
    );
    assert.deepEqual(writing, []);
  });

  it('the default roles of releases 1.28 to 1.36 permit what was observed on servers of them', () => {
    const kubernetes = namesFor('kubernetes');
    const permits = (minor: number, name: string, verb: string, resource: string): boolean =>
      defaultRbacObjects(kubernetes, optionsOf(minor))
        .filter((object) => object.name === name && object.resource.endsWith('roles'))
        .flatMap(({ content }) => content['rules'] as readonly Readonly<Record<string, readonly string[]>>[])
        .some(({ verbs = [], resources = [] }) => verbs.includes(verb) && resources.includes(resource));
    const lock = 'system::leader-locking-kube-scheduler';
    const prefix = 'system:controller:';
    for (const [name, verb, resource, minors] of [
      [lock, 'watch', 'configmaps', [28, 30, 32, 34]],
      [lock, 'create', 'leases', [32, 34, 35, 36]],
      ['system:kube-scheduler', 'watch', 'volumeattachments', [32, 34, 35, 36]],
      ['system:kube-scheduler', 'delete', 'resourceclaims', [36]],
      ['system:monitoring', 'get', 'nodes/metrics', [34, 35, 36]],
      ['system:kubelet-api-admin', '*', 'nodes/spec', []],
      [`${prefix}expand-controller`, 'get', 'services', [28, 30, 32, 34, 35]],
      [`${prefix}expand-controller`, 'get', 'secrets', [28, 30]],
      [`${prefix}expand-controller`, 'watch', 'storageclasses', [28, 30]],
      [`${prefix}persistent-volume-binder`, 'get', 'services', [28, 30, 32, 34, 35]],
      [`${prefix}persistent-volume-binder`, 'update', 'endpoints', [28, 30]],
      [`${prefix}persistent-volume-binder`, 'get', 'nodes', [28, 30]],
      [`${prefix}persistent-volume-binder`, 'watch', 'nodes', [32, 34, 35, 36]],
      [`${prefix}node-controller`, 'update', 'clustercidrs', [28]],
      [`${prefix}node-controller`, 'get', 'pods', [28, 30, 32, 34, 35, 36]],
    ] as const)
      assert.deepEqual(
        [28, 30, 32, 34, 35, 36].filter((minor) => permits(minor, name, verb, resource)),
        minors,
        `${name}: ${verb} ${resource}`,
      );
  });

  it('every user may review their own identity, in releases since 1.27', () => {
    assert.equal(rulesOf(defaultRbacObjects(orch, now), 'system:basic-user').length, 2);
  });

  it('a controller may delete jobs, in releases since 1.21 whose jobs have a time to live', () => {
    const name = 'system:controller:ttl-after-finished-controller';
    const [jobs] = rulesOf(defaultRbacObjects(orch, now), name);
    assert.deepEqual(jobs, {
      verbs: ['delete', 'get', 'list', 'watch'],
      apiGroups: ['batch'],
      resources: ['jobs'],
    });
    const binding = defaultRbacObjects(orch, now).find(
      (one) => one.name === name && one.resource === 'clusterrolebindings',
    );
    assert.deepEqual(binding?.content['subjects'], [
      { kind: 'ServiceAccount', name: 'ttl-after-finished-controller', namespace: 'orch-system' },
    ]);
  });

  it('the default roles have the names of their naming, and none of the other one', () => {
    const text = JSON.stringify(defaultRbacObjects(namesFor('kubernetes'), now));
    assert.doesNotMatch(text, /orch|nodeagent/);
    for (const word of [
      'system:kube-scheduler',
      'kube-system',
      'rbac.authorization.k8s.io',
      'kubernetes.io/bootstrapping',
    ]) {
      assert.ok(text.includes(word), word);
    }
  });
});
