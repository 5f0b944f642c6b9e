import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type EtcdCluster, startEtcd } from '@orch/storage/testing';
import { ApiClient, type ApiResponse, launchServerProcess, type ServerProcess } from '@orch/testkit';

const OVERRIDES = '--etcd-servers-overrides';
const ROUNDS = 100;
/** Connections until one belongs to the other thread: the kernel selects a thread for each. */
const MAX_CONNECTIONS = 100;

const inDefault = '/api/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.orch.io/v1/namespaces/default';
const policies = '/apis/admissionregistration.orch.io/v1';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'probe' },
  spec: { containers: [{ name: 'main', image: 'main' }] },
};

interface LimitedPod {
  readonly spec: { readonly containers: readonly { resources?: { limits?: { cpu: string } } }[] };
}

/** A rule that changes in every round. */
interface Rule {
  readonly objects: readonly (readonly [collection: string, object: object])[];
  /** The object that a round changes, and the change. */
  readonly path: string;
  change(round: number): object;
  /** A request that the rule decides. */
  probe(client: ApiClient, round: number): Promise<ApiResponse>;
  /** The fact about the answer that shows the rule of the round. */
  shown(answer: ApiResponse): unknown;
  expected(round: number): unknown;
}

const metadata = { name: 'changing' };
const isEven = (round: number): boolean => round % 2 === 0;

const rules: Readonly<Record<string, Rule>> = {
  'a role binding': {
    objects: [
      [
        `${rbac}/roles`,
        {
          kind: 'Role',
          metadata,
          rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
        },
      ],
      [
        `${rbac}/rolebindings`,
        { kind: 'RoleBinding', metadata, roleRef: { kind: 'Role', name: 'changing' } },
      ],
    ],
    path: `${rbac}/rolebindings/changing`,
    change: (round) => ({ subjects: [{ kind: 'User', name: `user-${round}` }] }),
    probe: (client, round) =>
      client.post('/apis/authorization.orch.io/v1/subjectaccessreviews', {
        kind: 'SubjectAccessReview',
        spec: {
          user: `user-${round}`,
          resourceAttributes: { namespace: 'default', verb: 'get', resource: 'configmaps' },
        },
      }),
    shown: ({ json }) => (json as { status: { allowed: boolean } }).status.allowed,
    expected: () => true,
  },
  'a quota': {
    objects: [[`${inDefault}/resourcequotas`, { kind: 'ResourceQuota', metadata, spec: {} }]],
    path: `${inDefault}/resourcequotas/changing/status`,
    change: (round) => {
      const resource = 'count/configmaps';
      return { status: { hard: { [resource]: isEven(round) ? '0' : '1000' }, used: { [resource]: '0' } } };
    },
    probe: (client) =>
      client.post(`${inDefault}/configmaps?dryRun=All`, { kind: 'ConfigMap', metadata: { name: 'probe' } }),
    shown: ({ status }) => status,
    expected: (round) => (isEven(round) ? 403 : 201),
  },
  'a limit range': {
    objects: [[`${inDefault}/limitranges`, { kind: 'LimitRange', metadata, spec: { limits: [] } }]],
    path: `${inDefault}/limitranges/changing`,
    change: (round) => ({
      spec: { limits: [{ type: 'Container', default: { cpu: `${round + 1}m` } }] },
    }),
    probe: (client) => client.post(`${inDefault}/pods?dryRun=All`, pod),
    shown: ({ json }) => (json as LimitedPod).spec.containers[0]?.resources?.limits?.cpu,
    expected: (round) => `${round + 1}m`,
  },
  'the level of a namespace': {
    objects: [['/api/v1/namespaces', { kind: 'Namespace', metadata }]],
    path: '/api/v1/namespaces/changing',
    change: (round) => ({
      metadata: {
        labels: { 'pod-security.orch.io/enforce': isEven(round) ? 'restricted' : 'privileged' },
      },
    }),
    probe: (client) => client.post('/api/v1/namespaces/changing/pods?dryRun=All', pod),
    shown: ({ status }) => status,
    expected: (round) => (isEven(round) ? 403 : 201),
  },
  'a policy': {
    objects: [
      [
        `${policies}/validatingadmissionpolicies`,
        {
          kind: 'ValidatingAdmissionPolicy',
          metadata,
          spec: {
            matchConstraints: {
              resourceRules: [
                { apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] },
              ],
            },
            validations: [{ expression: 'true' }],
          },
        },
      ],
      [
        `${policies}/validatingadmissionpolicybindings`,
        {
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata,
          spec: { policyName: 'changing', validationActions: ['Deny'] },
        },
      ],
    ],
    path: `${policies}/validatingadmissionpolicies/changing`,
    change: (round) => ({
      spec: { validations: [{ expression: `object.metadata.name != 'probe-${round}'` }] },
    }),
    probe: (client, round) =>
      client.post(`${inDefault}/secrets?dryRun=All`, {
        kind: 'Secret',
        metadata: { name: `probe-${round}` },
      }),
    shown: ({ status }) => status,
    expected: () => 422,
  },
};

const apiVersionOf = (collection: string): string => {
  const [, prefix, group = '', version = ''] = collection.split('/');
  return prefix === 'api' ? group : `${group}/${version}`;
};

/** Resources with rules, in another etcd. Its revisions are far below those of the main one. */
const separateRules = [
  '/resourcequotas',
  '/limitranges',
  'rbac.authorization.orch.io/rolebindings',
  'admissionregistration.orch.io/validatingadmissionpolicies',
];

for (const storage of ['etcd', 'two etcds', 'the embedded store'])
  describe(`the rules of a server with two threads over ${storage}`, { timeout: 180_000 }, () => {
    let etcd: EtcdCluster | undefined;
    let other: EtcdCluster | undefined;
    let server: ServerProcess;
    /** One connection of each thread. */
    let clients: readonly [ApiClient, ApiClient];

    before(async () => {
      if (storage !== 'the embedded store') etcd = await startEtcd();
      if (storage === 'two etcds') other = await startEtcd();
      const servers = other?.endpoints.join(';');
      server = await launchServerProcess({
        ...(etcd === undefined ? {} : { etcd: etcd.endpoints }),
        release: '1.30',
        args: [
          '--threads=2',
          '--authorization-mode=RBAC',
          ...(servers === undefined ? [] : separateRules.map((rule) => `${OVERRIDES}=${rule}#${servers}`)),
        ],
      });
      clients = await clientsOfThreads(server);
    });
    after(async () => {
      for (const client of clients) client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      await Promise.all([etcd, other].map((cluster) => cluster?.[Symbol.asyncDispose]()));
    });

    for (const [name, rule] of Object.entries(rules))
      it(`${name} holds on both threads when a write of it is acknowledged`, async () => {
        for (const [collection, object] of rule.objects) {
          const created = await clients[0].post(collection, {
            apiVersion: apiVersionOf(collection),
            ...object,
          });
          assert.equal(created.status, 201, created.text);
        }
        const missed: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const [writer, user] = isEven(round >> 1) ? clients : clients.toReversed();
          assert.ok(writer && user);
          const written = await writer.send('PATCH', rule.path, {
            contentType: 'application/merge-patch+json',
            body: rule.change(round),
          });
          assert.equal(written.status, 200, written.text);
          const answer = await rule.probe(user, round);
          if (rule.shown(answer) !== rule.expected(round)) missed.push(round);
        }
        assert.deepEqual(missed, []);
      });
  });

/** A client of each of two threads, with one connection: the table of one has a watch that the other does not have. */
async function clientsOfThreads(server: ServerProcess): Promise<readonly [ApiClient, ApiClient]> {
  const stop = new AbortController();
  const watched = server.client.watch('/api/v1/namespaces?watch=1&resourceVersion=0', stop.signal);
  await watched.next();
  const found = new Map<boolean, ApiClient>();
  try {
    for (let i = 0; i < MAX_CONNECTIONS; i += 1) {
      const client = new ApiClient(server.config, { maxSockets: 1 });
      const { text } = await client.get('/debug/cache');
      const hasWatch = /^namespaces, .* 1$/m.test(text);
      if (found.has(hasWatch)) client[Symbol.dispose]();
      else found.set(hasWatch, client);
      const [one, other] = found.values();
      if (one !== undefined && other !== undefined) return [one, other];
    }
  } finally {
    stop.abort();
  }
  throw new Error('all connections belong to one thread');
}
