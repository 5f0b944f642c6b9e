import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run } from '@orch/testkit';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { assertSame, comparable } from './side-by-side.ts';

const roles = (group: string, name: string, verb: string, user: string) => `apiVersion: ${group}/v1
kind: ClusterRole
metadata: {name: ${name}, labels: {of: ${verb}}}
rules:
- {apiGroups: ["", apps], resources: [pods, deployments], verbs: [get, ${verb}]}
- {nonResourceURLs: [/metrics], verbs: [get]}
---
apiVersion: ${group}/v1
kind: RoleBinding
metadata: {name: ${name}, namespace: fresh-${name}}
roleRef: {apiGroup: ${group}, kind: ClusterRole, name: ${name}}
subjects:
- {kind: User, name: ${user}, apiGroup: ${group}}
- {kind: ServiceAccount, name: robot, namespace: fresh}
`;

async function createAccount({ server }: CommandCluster): Promise<void> {
  const path = '/api/v1/namespaces/default/serviceaccounts';
  assert.equal((await server.client.post(path, { metadata: { name: 'robot' } })).status, 201);
}

/** Command lines whose output must be that of kubectl. */
const sameOutput: readonly string[] = [
  'auth can-i create pods',
  'auth can-i create pods --as=stranger',
  'auth can-i create pods --as=stranger -q',
  'auth can-i get pods/web --as=reader',
  'auth can-i get pods --subresource=log --as=reader',
  'auth can-i list deployments.apps --as=reader -A',
  'auth can-i list deployments.apps --as=reader',
  'auth can-i get /metrics --as=stranger',
  'auth can-i get /metrics',
  'auth can-i * *',
  'auth can-i list nodes',
  'auth can-i list nodes --all-namespaces',
  'auth can-i fly pods',
  'auth can-i get unicorns',
  'auth can-i get unicorns.example.com',
  'auth can-i --list',
  'auth can-i --list --as=reader',
  'auth can-i --list --as=reader --no-headers',
  'auth can-i --list get',
  'auth can-i get',
  'api-versions',
  'wait --for=create ns/default',
  'wait --for=delete ns/nothing',
  'wait --for=condition=Ready ns/nothing',
  'wait --for=condition=Ready ns/default --timeout=50ms',
  'wait --for=condition=Ready ns/default --timeout=0',
  'wait --for=jsonpath={.status.phase}=Active ns/default ns/kube-system',
  'wait --for=jsonpath={.status.phase}=Active ns --all',
  'wait --for=jsonpath={.status.phase} ns/default -o name',
  'wait --for=jsonpath={.status.phase}=Gone ns/default --timeout=50ms',
  'wait --for=condition=Established ns -l none=x',
  'wait --for=nonsense ns/default',
  'create token robot -o jsonpath={.kind}',
  'create token missing',
  'create token robot --bound-object-name=x',
  'certificate approve missing',
];

describe('commands about permissions compared with those of kubectl', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes', { args: ['--authorization-mode=RBAC'] });
    await createAccount(cluster);
    const file = join(cluster.folder, 'reader.yaml');
    writeFileSync(file, roles('rbac.authorization.k8s.io', 'reader', 'list', 'reader'));
    await cluster.kubectl(['create', 'ns', 'fresh-reader']);
    await cluster.kubectl(['create', '-f', file]);
    await cluster.kubectl(['create', 'rolebinding', 'in-default', '--clusterrole=reader', '--user=reader']);
    for (const program of ['own', 'other'])
      for (const [step, verb, user] of [
        [1, 'list', 'ann'],
        [2, 'watch', 'bob'],
      ] as const)
        writeFileSync(
          join(cluster.folder, `${program}-${step}.yaml`),
          roles('rbac.authorization.k8s.io', program, verb, user),
        );
  });
  after(() => cluster[Symbol.asyncDispose]());

  for (const line of sameOutput)
    it(`"${line}" prints what kubectl prints`, async () => {
      const argv = line.split(' ');
      const [own, other] = await Promise.all([cluster.orchctl(argv), cluster.kubectl(argv)]);
      assertSame(own, other);
    });

  for (const line of [
    'auth reconcile -f FILE-1.yaml --dry-run=client',
    'auth reconcile -f FILE-1.yaml --dry-run=client -o name',
    'auth reconcile -f FILE-1.yaml',
    'auth reconcile -f FILE-1.yaml',
    'auth reconcile -f FILE-2.yaml',
    'auth reconcile -f FILE-1.yaml --remove-extra-permissions --remove-extra-subjects',
    'get clusterrole FILE -o jsonpath={.rules}',
    'get rolebinding FILE -n fresh-FILE -o jsonpath={.subjects}',
  ])
    it(`"${line}" prints what kubectl prints`, async () => {
      const own = await cluster.orchctl(line.replaceAll('FILE', 'own').split(' '));
      const other = await cluster.kubectl(line.replaceAll('FILE', 'other').split(' '));
      assertSame(own, other, (text) => comparable(text).replaceAll('other', 'own'));
    });
});

/** A certificate signing request for the user ann, in base64. */
async function requestPem(): Promise<string> {
  const { stdout, code } = await run('openssl', [
    ...['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-keyout', '/dev/null', '-subj', '/CN=ann'],
  ]);
  assert.equal(code, 0);
  return Buffer.from(stdout).toString('base64');
}

const request = (group: string, name: string) => ({
  apiVersion: `${group}/v1`,
  kind: 'CertificateSigningRequest',
  metadata: { name },
  spec: {
    request: '',
    signerName: 'example.com/signer',
    usages: ['client auth'],
  },
});

for (const naming of ['orch', 'kubernetes'] as const)
  describe(`commands about permissions on a server with --naming=${naming}`, () => {
    let cluster: CommandCluster;
    before(async () => {
      cluster = await commandCluster(naming, { args: ['--authorization-mode=RBAC'] });
      await createAccount(cluster);
    });
    after(() => cluster[Symbol.asyncDispose]());
    const orchctl = (...argv: string[]) => cluster.orchctl(argv);

    it('"auth whoami" prints the user and groups of the credentials', async () => {
      const { status, out } = await orchctl('auth', 'whoami');
      assert.equal(status, 0);
      assert.match(out, /^ATTRIBUTE +VALUE\nUsername +\S+\nGroups +\[.*system:masters.*\]\n/);
    });

    it('"create token" prints a token with which the server sees the service account', async () => {
      const { out: token } = await orchctl('create', 'token', 'robot', '--duration=1h');
      const review = { spec: { token: token.trim() } };
      const group = naming === 'orch' ? 'authentication.orch.io' : 'authentication.k8s.io';
      const { json } = await cluster.server.client.post(`/apis/${group}/v1/tokenreviews`, review);
      assert.match(JSON.stringify(json), /"username":"system:serviceaccount:default:robot"/);
    });

    it('"auth can-i" answers with its exit status, too', async () => {
      assert.equal((await orchctl('auth', 'can-i', 'create', 'pods')).status, 0);
      assert.equal((await orchctl('auth', 'can-i', 'create', 'pods', '--as=stranger')).status, 1);
    });

    it('"wait --for=delete" ends when the object is deleted, and "wait --for=create" when it is created', async () => {
      const created = orchctl('wait', '--for=create', 'configmap/waited', '--timeout=20s');
      const map = { metadata: { name: 'waited' } };
      await cluster.server.client.post('/api/v1/namespaces/default/configmaps', map);
      assert.deepEqual(await created, { status: 0, out: 'configmap/waited condition met\n', err: '' });
      const deleted = orchctl('wait', '--for=delete', 'configmap/waited', '--timeout=20s');
      await orchctl('delete', 'configmap', 'waited');
      assert.equal((await deleted).status, 0);
    });

    it('"certificate approve" and "certificate deny" write the condition', async () => {
      const group = naming === 'orch' ? 'certificates.orch.io' : 'certificates.k8s.io';
      for (const [name, verb, type] of [
        ['one', 'approve', 'Approved'],
        ['two', 'deny', 'Denied'],
      ] as const) {
        const body = request(group, name);
        body.spec.request = await requestPem();
        const path = `/apis/${group}/v1/certificatesigningrequests`;
        assert.equal((await cluster.server.client.post(path, body)).status, 201);
        const { status, out, err } = await orchctl('certificate', verb, name);
        assert.equal(status, 0, err);
        assert.equal(
          out,
          `certificatesigningrequest.${group}/${name} ${verb === 'approve' ? 'approved' : 'denied'}\n`,
        );
        const types = await orchctl('get', 'csr', name, '-o', 'jsonpath={.status.conditions[*].type}');
        assert.equal(types.out, type);
      }
    });
  });
