import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { parseYaml } from '@orch/machinery/yaml';
import { type CommandResult, runCommandLine } from '@orch/orchctl/testing';
import { kubectlIn } from './cluster.ts';
import { assertSame, comparable } from './side-by-side.ts';

const config = `# my clusters
apiVersion: v1
kind: Config
current-context: dev
preferences: {}
clusters:
- name: local # on this machine
  cluster:
    server: https://127.0.0.1:6443
    certificate-authority-data: Y2E=
- name: far.example.com
  cluster: {server: "https://far.example.com", insecure-skip-tls-verify: true}
contexts:
- name: dev
  context: {cluster: local, user: admin, namespace: dev}
- name: prod
  context: {cluster: far.example.com, user: robot}
users:
- name: admin
  user:
    client-certificate-data: Y2VydA==
    client-key-data: a2V5
- name: robot
  user: {token: secret-token}
- name: basic
  user: {username: ann, password: secret}
- name: plugin
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: get-token, env: null, interactiveMode: Never, provideClusterInfo: false, args: null}
`;

/** Steps of one session: each runs with both programs, on files of the same content. */
const steps: readonly string[] = [
  'config view',
  'config view --raw',
  'config view --minify',
  'config view --minify --context=prod',
  'config view --flatten',
  'config view -o json',
  'config view --minify -o jsonpath={.clusters[0].cluster.server}',
  'config get-contexts',
  'config get-contexts -o name',
  'config get-contexts prod --no-headers',
  'config get-contexts none',
  'config current-context',
  'config get-users',
  'config use-context none',
  'config use-context prod',
  'config current-context',
  'config set-context --current --namespace=other',
  'config set-context new --cluster=local --user=admin',
  'config set-context new --namespace=x',
  'config rename-context new newer',
  'config rename-context none x',
  'config rename-context newer dev',
  'config rename-context prod production',
  'config get-contexts',
  'config set-cluster local --server=https://127.0.0.1:1',
  'config set-cluster new --server=https://127.0.0.1:2 --insecure-skip-tls-verify=true',
  'config set-cluster new --certificate-authority=ca.crt --embed-certs=true',
  'config set-cluster new --tls-server-name=name',
  'config set-cluster below --server=https://127.0.0.1:4 --certificate-authority=ca.crt',
  'config set-credentials outside --client-certificate=keys/a.crt --client-key=../a.key',
  'config delete-cluster below',
  'config delete-user outside',
  'config set-credentials ann --token=abc',
  'config set-credentials ann --client-certificate=ca.crt --embed-certs=true',
  'config set-credentials oidc --auth-provider=oidc --auth-provider-arg=client-id=a --auth-provider-arg=client-secret=b',
  'config set-credentials oidc --auth-provider-arg=client-secret-',
  'config set-credentials exec --exec-command=run --exec-api-version=client.authentication.k8s.io/v1 --exec-arg=a --exec-arg=b --exec-env=K=V --exec-interactive-mode=Never',
  'config set-credentials exec --exec-env=L=W --exec-env=K-',
  'config set clusters.local.server https://127.0.0.1:3',
  'config set clusters.local.insecure-skip-tls-verify maybe',
  'config set clusters.local.nonsense x',
  'config set contexts.fresh.cluster local',
  'config set users.ann.client-key-data text',
  'config set users.ann.client-key-data text --set-raw-bytes=true',
  'config unset contexts.dev.namespace',
  'config unset users.basic',
  'config view --raw -o json',
  'config delete-context dev',
  'config delete-context dev',
  'config delete-context production',
  'config delete-cluster local',
  'config delete-user robot',
  'config delete-user none',
  'config set users.dotted.name.token abc',
  'config unset clusters.none',
  'config unset users.none.token',
  'config unset current-context',
  'config current-context',
  'config view',
  'config view --raw',
];

/** kubectl writes the fields of this object in the order of its source code. */
const parsed = (text: string): string => inspect(parsedValue(text), { depth: 20, sorted: true });
const parsedValue = (text: string): unknown => parseYaml(Buffer.from(text));

describe('config of orchctl compared with that of kubectl', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'orchctl-config-'));
    for (const program of ['own', 'other']) writeFileSync(join(folder, `${program}.yaml`), config);
    writeFileSync(join(folder, 'ca.crt'), 'a certificate');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const both = (line: string): Promise<[CommandResult, CommandResult]> => {
    const argv = line.split(' ');
    return Promise.all([
      runCommandLine([...argv, `--kubeconfig=${join(folder, 'own.yaml')}`], { folder, homeFolder: folder }),
      kubectlIn(folder, [...argv, `--kubeconfig=${join(folder, 'other.yaml')}`]),
    ]);
  };

  /** What `config view --raw` shows of each file; this is compared with kubectl in separate steps. */
  const views = (): Promise<unknown[]> =>
    Promise.all(
      ['own', 'other'].map(async (program) => {
        const argv = ['config', 'view', '--raw', `--kubeconfig=${join(folder, `${program}.yaml`)}`];
        const { status, out, err } = await runCommandLine(argv, { folder, homeFolder: folder });
        assert.equal(status, 0, err);
        return parsedValue(out);
      }),
    );

  for (const [i, line] of steps.entries())
    it(`step ${i + 1}, "${line}", prints what kubectl prints and leaves the same configuration`, async () => {
      const [own, other] = await both(line);
      const isObject = line.startsWith('config view') && !line.includes('jsonpath');
      const map = (text: string) => comparable(text).replaceAll('other.yaml', 'own.yaml');
      assertSame(own, other, isObject ? parsed : map);
      const [left, right] = await views();
      assert.deepEqual(left, right);
    });
});

describe('files of the client configuration', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'orchctl-config-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const run = (...argv: string[]) =>
    runCommandLine(argv, { folder, homeFolder: folder, environment: { KUBECONFIG: 'a.yaml:b.yaml' } });

  it('a change keeps comments and unknown fields, and gives the file mode 0600', async () => {
    writeFileSync(join(folder, 'a.yaml'), `${config}extra: {kept: true}\n`, { mode: 0o644 });
    assert.equal((await run('config', 'use-context', 'prod')).status, 0);
    const text = readFileSync(join(folder, 'a.yaml'), 'utf8');
    assert.match(text, /^# my clusters$/m);
    assert.match(text, /name: local # on this machine$/m);
    const expected = parseYaml(Buffer.from(config.replace('current-context: dev', 'current-context: prod')));
    assert.deepEqual(parseYaml(Buffer.from(text)), { ...(expected as object), extra: { kept: true } });
    assert.equal(statSync(join(folder, 'a.yaml')).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['a.yaml']);
  });

  it('changes of many processes at the same time are all kept', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `context-${i}`);
    const results = await Promise.all(names.map((name) => run('config', 'set-context', name, '--user=x')));
    assert.deepEqual(
      results.map(({ status }) => status),
      names.map(() => 0),
    );
    const { out } = await run('config', 'get-contexts', '-o', 'name');
    for (const name of names) assert.ok(out.split('\n').includes(name), name);
  });

  it('an entry of a second file is changed in that file', async () => {
    writeFileSync(join(folder, 'b.yaml'), 'contexts:\n- name: second\n  context: {cluster: c, user: u}\n');
    assert.equal((await run('config', 'set-context', 'second', '--namespace=x')).status, 0);
    assert.match(readFileSync(join(folder, 'b.yaml'), 'utf8'), /namespace: x/);
    assert.doesNotMatch(readFileSync(join(folder, 'a.yaml'), 'utf8'), /namespace: x/);
  });

  it('several files are not shown without --merge', async () => {
    const { status, err } = await run('config', 'view', '--merge=false');
    assert.deepEqual(
      [status, err],
      [2, 'error: --merge=false requires a single file: --client-config=FILE\n'],
    );
  });

  it('a list that is none is refused, instead of read as empty', async () => {
    writeFileSync(join(folder, 'a.yaml'), 'users: 5\n');
    for (const argv of [
      ['config', 'view'],
      ['config', 'get-contexts'],
      ['config', 'use-context', 'x'],
    ]) {
      const { status, err } = await run(...argv);
      assert.equal(status, 1);
      assert.equal(err, `error: ${join(folder, 'a.yaml')}: users must be a list\n`);
    }
  });

  it('a file that is not YAML is refused without its content', async () => {
    writeFileSync(join(folder, 'a.yaml'), 'users: [{name: x, user: {token: "secret}}]\n');
    const { status, err } = await run('config', 'view');
    assert.equal(status, 1);
    assert.match(err, /a\.yaml: not YAML at line \d+, column \d+/);
    assert.doesNotMatch(err, /secret/);
  });
});
