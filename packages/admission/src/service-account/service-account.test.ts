import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { ApiError, type ApiObject, type Naming, namesFor } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../types.ts';
import { DEFAULT_ACCOUNT_WAIT_MS } from './account-lookup.ts';
import { serviceAccount } from './service-account.ts';

interface Fields {
  readonly [field: string]: unknown;
}

const MOUNT_PATH = '/var/run/secrets/orch.io/serviceaccount';

const account = (name: string, { annotations, ...fields }: Fields = {}): ApiObject => ({
  metadata: {
    name,
    namespace: 'ns',
    uid: `uid-${name}`,
    ...(annotations === undefined ? {} : { annotations: annotations as Record<string, string> }),
  },
  ...fields,
});

const podWith = (spec: Fields, annotations?: Record<string, string>): ApiObject => ({
  metadata: { name: 'p', namespace: 'ns', ...(annotations === undefined ? {} : { annotations }) },
  spec: { containers: [{ name: 'c' }], ...spec },
});

interface Setup {
  readonly accounts?: readonly ApiObject[];
  readonly secrets?: readonly ApiObject[];
  readonly mountsTokenSecrets?: boolean;
  readonly naming?: Naming;
}

/** The plugin over a cluster with the default account, or with the given objects. */
function setUp({ accounts = [account('default')], secrets = [], ...options }: Setup = {}) {
  const { mountsTokenSecrets = false, naming = 'orch' } = options;
  const source = new MemoryObjectSource();
  for (const object of accounts) source.put('serviceaccounts', object);
  for (const object of secrets) source.put('secrets', object);
  const env = testEnv();
  const plugin = serviceAccount({ ...env, source, names: namesFor(naming), mountsTokenSecrets });
  return { plugin, source, clock: env.clock };
}

type Spec = {
  readonly [field: string]: unknown;
  readonly volumes?: readonly { readonly name: string; readonly [source: string]: unknown }[];
  readonly containers: readonly { readonly volumeMounts?: readonly Fields[] }[];
  readonly initContainers?: readonly { readonly volumeMounts?: readonly Fields[] }[];
};

async function specAfter(plugin: AdmissionPlugin, object: ApiObject): Promise<Spec> {
  const { object: after, refusal } = await mutated(plugin, testWrite({ object }));
  assert.equal(refusal, undefined);
  return after?.['spec'] as Spec;
}

const verdict = async (plugin: AdmissionPlugin, write: AdmissionAttributes): Promise<string> =>
  (await validated(plugin, write)) ?? 'admitted';

describe('admission plugin ServiceAccount: the account of a pod', () => {
  for (const [title, given, expected] of [
    ['no account runs as the default one', {}, 'default'],
    ['an empty account name runs as the default one', { serviceAccountName: '' }, 'default'],
    ['an account keeps it', { serviceAccountName: 'build' }, 'build'],
  ] as const)
    it(`a new pod with ${title}`, async () => {
      const { plugin } = setUp({ accounts: [account('default'), account('build')] });
      const spec = await specAfter(plugin, podWith({ ...given, serviceAccount: given.serviceAccountName }));
      assert.equal(spec['serviceAccountName'], expected);
      assert.equal(spec['serviceAccount'], expected);
    });

  it('a new pod with an account that does not exist is refused in both phases', async () => {
    const { plugin } = setUp();
    const object = podWith({ serviceAccountName: 'none' });
    const refusal = 'error looking up service account ns/none: serviceaccount "none" not found';
    assert.equal((await mutated(plugin, testWrite({ object }))).refusal, refusal);
    assert.equal(await verdict(plugin, testWrite({ object })), refusal);
  });

  it('a new pod cannot use an account of another namespace', async () => {
    const { plugin } = setUp({
      accounts: [account('default'), { metadata: { name: 'build', namespace: 'a' } }],
    });
    const { refusal } = await mutated(
      plugin,
      testWrite({ object: podWith({ serviceAccountName: 'build' }) }),
    );
    assert.match(String(refusal), /serviceaccount "build" not found/);
  });

  it('a new pod whose account a later plugin has removed is refused', async () => {
    const { plugin } = setUp();
    assert.equal(
      await verdict(plugin, testWrite({ object: podWith({}) })),
      'no service account specified for pod ns/p',
    );
  });

  for (const [title, write, expected] of [
    ['creations of pods', { operation: 'CREATE' }, true],
    ['updates of pods', { operation: 'UPDATE' }, false],
    ['deletions of pods', { operation: 'DELETE' }, false],
    ['the status of pods', { operation: 'UPDATE', subresource: 'status' }, false],
    ['added ephemeral containers', { operation: 'UPDATE', subresource: 'ephemeralcontainers' }, true],
    ['evictions', { operation: 'CREATE', subresource: 'eviction' }, false],
    ['commands in pods', { operation: 'CONNECT', subresource: 'exec' }, false],
    ['pods of another group', { operation: 'CREATE', group: 'metrics' }, false],
    ['service accounts', { operation: 'CREATE', resource: 'serviceaccounts' }, false],
  ] as const)
    it(`the plugin ServiceAccount ${expected ? 'handles' : 'does not handle'} ${title}`, () =>
      assert.equal(setUp().plugin.handles(testWrite(write)), expected));
});

describe('admission plugin ServiceAccount: accounts created moments ago', () => {
  it('a new pod waits until a controller has created the default account', async () => {
    const { plugin, source, clock } = setUp({ accounts: [] });
    const writing = specAfter(plugin, podWith({}));
    await settle();
    source.put('serviceaccounts', { metadata: { name: 'other', namespace: 'ns' } });
    await settle();
    assert.equal(clock.pending, 1);
    source.put('serviceaccounts', account('default'));
    assert.equal((await writing)['serviceAccountName'], 'default');
    assert.equal(clock.pending, 0);
  });

  it('a new pod gets the default account also when the cache is rebuilt meanwhile', async () => {
    const { plugin, source } = setUp({ accounts: [] });
    const writing = specAfter(plugin, podWith({}));
    await settle();
    source.replace('serviceaccounts', [account('default')]);
    assert.equal((await writing)['serviceAccountName'], 'default');
  });

  it('a new pod is refused when the default account is not created in time', async () => {
    const { plugin, clock } = setUp({ accounts: [] });
    const writing = mutated(plugin, testWrite({ object: podWith({}) }));
    await settle();
    await clock.advanceAsync(DEFAULT_ACCOUNT_WAIT_MS);
    assert.match(String((await writing).refusal), /serviceaccount "default" not found/);
    assert.equal(clock.pending, 0);
  });

  it('a new pod does not wait for another account than the default one', async () => {
    const { plugin, clock } = setUp({ accounts: [] });
    const object = podWith({ serviceAccountName: 'build' });
    assert.match(String((await mutated(plugin, testWrite({ object }))).refusal), /"build" not found/);
    assert.equal(clock.pending, 0);
  });

  it('a request that is aborted does not wait any longer', async () => {
    const { plugin, clock } = setUp({ accounts: [] });
    const stop = new AbortController();
    const writing = mutated(plugin, testWrite({ object: podWith({}), signal: stop.signal }));
    await settle();
    stop.abort(new Error('the client is gone'));
    await assert.rejects(writing, /the client is gone/);
    assert.equal(clock.pending, 0);
  });
});

describe('admission plugin ServiceAccount: token volumes', () => {
  for (const [naming, prefix, rootCa, mountPath] of [
    ['orch', 'orch-api-access-', 'orch-root-ca.crt', MOUNT_PATH],
    ['kubernetes', 'kube-api-access-', 'kube-root-ca.crt', '/var/run/secrets/kubernetes.io/serviceaccount'],
  ] as const)
    it(`a new pod gets a volume with a token, authorities and namespace (${naming})`, async () => {
      const { plugin } = setUp({ naming });
      const spec = await specAfter(plugin, podWith({ initContainers: [{ name: 'i' }] }));
      const [volume, ...others] = spec.volumes ?? [];
      assert.deepEqual(others, []);
      assert.match(volume?.name ?? '', new RegExp(`^${prefix}[bcdfghjklmnpqrstvwxz2456789]{5}$`));
      assert.deepEqual(volume?.['projected'], {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: rootCa, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ],
        defaultMode: 420,
      });
      const mounts = [{ name: volume?.name, readOnly: true, mountPath }];
      assert.deepEqual(spec.containers, [{ name: 'c', volumeMounts: mounts }]);
      assert.deepEqual(spec.initContainers, [{ name: 'i', volumeMounts: mounts }]);
    });

  for (const [title, ofPod, ofAccount, expected] of [
    ['by default', undefined, undefined, true],
    ['unless its account opts out', undefined, false, false],
    ['unless it opts out itself', false, undefined, false],
    ['unless it opts out, whatever its account says', false, true, false],
    ['when it opts in, whatever its account says', true, false, true],
    ['when its account opts in', undefined, true, true],
  ] as const)
    it(`a new pod gets a token volume ${title}`, async () => {
      const optional = (automount: boolean | undefined): Fields =>
        automount === undefined ? {} : { automountServiceAccountToken: automount };
      const { plugin } = setUp({ accounts: [account('default', optional(ofAccount))] });
      const spec = await specAfter(plugin, podWith(optional(ofPod)));
      assert.equal(spec.volumes?.length ?? 0, expected ? 1 : 0);
      assert.equal(spec.containers[0]?.volumeMounts?.length ?? 0, expected ? 1 : 0);
    });

  it('a container that mounts something else at the path of the token keeps it', async () => {
    const { plugin } = setUp();
    const own = { name: 'own', mountPath: MOUNT_PATH };
    const volumes = [{ name: 'own', emptyDir: {} }];
    const only = await specAfter(
      plugin,
      podWith({ volumes, containers: [{ name: 'c', volumeMounts: [own] }] }),
    );
    assert.deepEqual(only.volumes, volumes);
    assert.deepEqual(only.containers[0]?.volumeMounts, [own]);
    const containers = [
      { name: 'c', volumeMounts: [own] },
      { name: 'd', volumeMounts: [{ name: 'own', mountPath: '/d' }] },
    ];
    const both = await specAfter(plugin, podWith({ volumes, containers }));
    assert.equal(both.volumes?.length, 2);
    assert.deepEqual(
      both.containers.map(({ volumeMounts }) => volumeMounts?.length),
      [1, 2],
    );
  });

  it('a pod that passes mutation again, or is copied with its token volume, gets no second volume', async () => {
    const { plugin } = setUp();
    const once = await specAfter(plugin, podWith({}));
    assert.deepEqual(await specAfter(plugin, podWith(once)), once);
    const [volume] = once.volumes ?? [];
    const added = await specAfter(
      plugin,
      podWith({ ...once, containers: [...once.containers, { name: 'd' }] }),
    );
    assert.deepEqual(added.volumes, [volume]);
    assert.equal(added.containers[1]?.volumeMounts?.[0]?.['name'], volume?.name);
  });
});

describe('admission plugin ServiceAccount: token secrets of earlier releases', () => {
  const tokenSecret = (
    name: string,
    annotations: Record<string, string>,
    type = 'orch.io/service-account-token',
  ) => ({
    metadata: { name, namespace: 'ns', annotations },
    type,
  });
  const named = (accountName: string, uid = `uid-${accountName}`): Record<string, string> => ({
    'orch.io/service-account.name': accountName,
    'orch.io/service-account.uid': uid,
  });
  const withSecrets = (...referenced: readonly string[]): Setup => ({
    accounts: [account('default', { secrets: referenced.map((name) => ({ name })) })],
    mountsTokenSecrets: true,
  });

  it('a new pod gets the first token secret that its account refers to', async () => {
    const { plugin } = setUp({
      ...withSecrets('pull', 'other', 'gone', 'token.1', 'token-2'),
      secrets: [
        tokenSecret('pull', named('default'), 'Opaque'),
        tokenSecret('other', named('other')),
        tokenSecret('gone', named('default', 'uid of an earlier account')),
        tokenSecret('token.1', named('default')),
        tokenSecret('token-2', named('default')),
      ],
    });
    const { volumes, containers } = await specAfter(plugin, podWith({}));
    assert.deepEqual(volumes, [{ name: 'token-1', secret: { secretName: 'token.1', defaultMode: 420 } }]);
    assert.deepEqual(containers[0]?.volumeMounts, [
      { name: 'token-1', readOnly: true, mountPath: MOUNT_PATH },
    ]);
  });

  it('a new pod that has a volume with the token secret gets no second one', async () => {
    const { plugin } = setUp({
      ...withSecrets('token'),
      secrets: [tokenSecret('token', named('default', ''))],
    });
    const volumes = [{ name: 'mine', secret: { secretName: 'token' } }];
    const spec = await specAfter(plugin, podWith({ volumes }));
    assert.deepEqual(spec.volumes, volumes);
    assert.equal(spec.containers[0]?.volumeMounts?.[0]?.['name'], 'mine');
  });

  for (const [title, secret, taken, expected] of [
    ['already taken', 'token', 'token', /^token-[b-z2-9]{5}$/],
    ['too long', `${'a'.repeat(70)}.token`, 'x', /^a{58}[b-z2-9]{5}$/],
  ] as const)
    it(`the volume of a token secret gets a generated name when the name of the secret is ${title}`, async () => {
      const { plugin } = setUp({ ...withSecrets(secret), secrets: [tokenSecret(secret, named('default'))] });
      const spec = await specAfter(plugin, podWith({ volumes: [{ name: taken, emptyDir: {} }] }));
      assert.match(spec.volumes?.[1]?.name ?? '', expected);
    });

  it('a new pod whose account has no token secret yet has to be sent again', async () => {
    const { plugin } = setUp(withSecrets());
    await assert.rejects(mutated(plugin, testWrite({ object: podWith({}) })), (error) => {
      assert.ok(error instanceof ApiError);
      const { code, reason, details, message = '' } = error.status;
      assert.deepEqual([code, reason, details?.retryAfterSeconds], [500, 'ServerTimeout', 1]);
      assert.match(message, /^No API token found for service account "default", retry/);
      return true;
    });
  });

  it('a new pod without a token needs no token secret', async () => {
    const { plugin } = setUp(withSecrets());
    const spec = await specAfter(plugin, podWith({ automountServiceAccountToken: false }));
    assert.equal(spec.volumes, undefined);
  });
});

describe('admission plugin ServiceAccount: image pull secrets', () => {
  const accounts = [account('default', { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] })];

  it('a new pod without image pull secrets gets those of its account', async () => {
    const { plugin } = setUp({ accounts });
    for (const given of [{}, { imagePullSecrets: [] }])
      assert.deepEqual((await specAfter(plugin, podWith(given)))['imagePullSecrets'], [
        { name: 'a' },
        { name: 'b' },
      ]);
  });

  it('a new pod keeps its own image pull secrets', async () => {
    const { plugin } = setUp({ accounts });
    const imagePullSecrets = [{ name: 'mine' }];
    const spec = await specAfter(plugin, podWith({ imagePullSecrets }));
    assert.deepEqual(spec['imagePullSecrets'], imagePullSecrets);
  });

  it('a new pod gets no empty list of image pull secrets', async () =>
    assert.equal('imagePullSecrets' in (await specAfter(setUp().plugin, podWith({}))), false));
});

describe('admission plugin ServiceAccount: mirror pods', () => {
  const mirror = { 'orch.io/config.mirror': 'x' };

  it('a mirror pod is not changed', async () => {
    const object = podWith({}, mirror);
    assert.deepEqual((await mutated(setUp().plugin, testWrite({ object }))).object, object);
  });

  for (const [title, spec, expected] of [
    ['nothing else', {}, 'admitted'],
    ['config maps', { volumes: [{ name: 'v', configMap: { name: 'm' } }] }, 'admitted'],
    ['an account', { serviceAccountName: 'default' }, 'a mirror pod may not reference service accounts'],
    [
      'a secret as a volume',
      { volumes: [{ name: 'v', secret: { secretName: 's' } }] },
      'a mirror pod may not reference secrets',
    ],
    [
      'a secret of a volume driver',
      { volumes: [{ name: 'v', csi: { nodePublishSecretRef: { name: 's' } } }] },
      'a mirror pod may not reference secrets',
    ],
    ['a secret for images', { imagePullSecrets: [{ name: 's' }] }, 'a mirror pod may not reference secrets'],
    [
      'a secret in the environment of an init container',
      { initContainers: [{ name: 'i', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 's' } } }] }] },
      'a mirror pod may not reference secrets',
    ],
    [
      'a token',
      { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
      'a mirror pod may not use ServiceAccountToken volume projections',
    ],
  ] as const)
    it(`a mirror pod that refers to ${title} is ${expected === 'admitted' ? expected : 'refused'}`, async () =>
      assert.equal(await verdict(setUp().plugin, testWrite({ object: podWith(spec, mirror) })), expected));
});

describe('admission plugin ServiceAccount: accounts that restrict secrets', () => {
  const restricted = (value = 'true'): Setup => ({
    accounts: [
      account('default', {
        annotations: { 'orch.io/enforce-mountable-secrets': value },
        secrets: [{ name: 'mine' }],
        imagePullSecrets: [{ name: 'pull' }],
      }),
    ],
  });
  const env = (name: string) => [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }];
  const envFrom = (name: string) => [{ secretRef: { name } }];
  const uses: readonly (readonly [title: string, spec: (secret: string) => Fields, refusal: RegExp])[] = [
    [
      'a volume',
      (secretName) => ({ volumes: [{ name: 'v', secret: { secretName } }] }),
      /^volume with secret\.secretName="theirs" is not allowed because service account default does not reference that secret$/,
    ],
    [
      'a projected volume',
      (name) => ({ volumes: [{ name: 'v', projected: { sources: [{ secret: { name } }] } }] }),
      /^volume with secret\.secretName="theirs" is not allowed/,
    ],
    [
      'the environment of a container',
      (name) => ({ containers: [{ name: 'c', env: env(name) }] }),
      /^container c with envVar E referencing secret\.secretName="theirs" is not allowed/,
    ],
    [
      'the whole environment of a container',
      (name) => ({ containers: [{ name: 'c', envFrom: envFrom(name) }] }),
      /^container c with envFrom referencing secret\.secretName="theirs" is not allowed/,
    ],
    [
      'the environment of an init container',
      (name) => ({ initContainers: [{ name: 'i', env: env(name) }] }),
      /^init container i with envVar E referencing secret\.secretName="theirs" is not allowed/,
    ],
    [
      'the whole environment of an init container',
      (name) => ({ initContainers: [{ name: 'i', envFrom: envFrom(name) }] }),
      /^init container i with envFrom referencing secret\.secretName="theirs" is not allowed/,
    ],
  ];
  const creating = (spec: Fields): AdmissionAttributes =>
    testWrite({ object: podWith({ serviceAccountName: 'default', ...spec }) });

  for (const [title, spec, refusal] of uses)
    it(`an account that restricts secrets refuses others in ${title}`, async () => {
      const { plugin } = setUp(restricted());
      assert.match(await verdict(plugin, creating(spec('theirs'))), refusal);
      assert.equal(await verdict(plugin, creating(spec('mine'))), 'admitted');
      assert.equal(await verdict(setUp().plugin, creating(spec('theirs'))), 'admitted');
    });

  it('an account that restricts secrets refuses image pull secrets that are not its own', async () => {
    const { plugin } = setUp(restricted());
    const refusal = await verdict(
      plugin,
      creating({ imagePullSecrets: [{ name: 'pull' }, { name: 'mine' }] }),
    );
    assert.equal(
      refusal,
      'imagePullSecrets[1].name="mine" is not allowed because service account default does not reference that imagePullSecret',
    );
  });

  for (const [value, restricts] of [
    ['true', true],
    ['1', true],
    ['T', true],
    ['false', false],
    ['yes', false],
    ['', false],
  ] as const)
    it(`the annotation ${JSON.stringify(value)} ${restricts ? 'restricts' : 'does not restrict'} secrets`, async () => {
      const { plugin } = setUp(restricted(value));
      const [, spec] = uses[0] ?? assert.fail();
      assert.equal((await verdict(plugin, creating(spec('theirs')))) !== 'admitted', restricts);
    });

  const adding = (ephemeralContainers: readonly Fields[], spec: Fields = {}): AdmissionAttributes => {
    const before = {
      serviceAccountName: 'default',
      volumes: [{ name: 'v', secret: { secretName: 'old' } }],
      ...spec,
    };
    return testWrite({
      subresource: 'ephemeralcontainers',
      object: podWith({ ...before, ephemeralContainers }),
      oldObject: podWith(before),
    });
  };

  for (const [title, container, expected] of [
    ['its own secret', { name: 'e', env: env('mine') }, /^admitted$/],
    [
      'another secret in the environment',
      { name: 'e', env: env('theirs') },
      /^ephemeral container e with envVar E referencing secret\.secretName="theirs" is not allowed/,
    ],
    [
      'another secret as the whole environment',
      { name: 'e', envFrom: envFrom('theirs') },
      /^ephemeral container e with envFrom referencing secret\.secretName="theirs" is not allowed/,
    ],
  ] as const)
    it(`an ephemeral container with ${title} is ${expected.test('admitted') ? 'admitted' : 'refused'} by an account that restricts secrets`, async () => {
      const { plugin } = setUp(restricted());
      assert.match(await verdict(plugin, adding([container])), expected);
    });

  it('an ephemeral container changes nothing else in the pod', async () => {
    const { plugin } = setUp();
    const write = adding([{ name: 'e' }], { automountServiceAccountToken: true });
    assert.deepEqual((await mutated(plugin, write)).object, write.object);
  });

  it('an ephemeral container in a pod without an existing account is refused', async () => {
    const { plugin } = setUp();
    assert.match(
      await verdict(plugin, adding([{ name: 'e' }], { serviceAccountName: '' })),
      /^no service account/,
    );
    assert.match(
      await verdict(plugin, adding([{ name: 'e' }], { serviceAccountName: 'x' })),
      /"x" not found$/,
    );
  });
});
