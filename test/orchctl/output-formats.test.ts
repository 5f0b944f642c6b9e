import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { type Naming, namings } from '@orch/machinery';
import { parseYaml } from '@orch/machinery/yaml';
import { type CommandEntry, commands } from '@orch/orchctl';
import type { CommandResult, CommandSurroundings } from '@orch/orchctl/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';

/** A command line for each command with a flag --output; none of them changes anything. */
const lines: readonly string[] = [
  'get configmaps,deployments',
  'get configmap one',
  'get clusterroles',
  'get events',
  'wait --for=jsonpath={.data.a}=b configmap/one',
  'events',
  'history configmaps',
  'apply -f one.yaml --dry-run=server',
  'create -f new.yaml --dry-run=server',
  'create clusterrole a --verb=get --resource=pods --dry-run=client',
  'create clusterrolebinding a --clusterrole=b --user=c --dry-run=client',
  'create configmap a --from-literal=a=b --dry-run=client',
  'create cronjob a --image=b --schedule=@daily --dry-run=client',
  'create deployment a --image=b --dry-run=client',
  'create ingress a --rule=b/c=d:80 --dry-run=client',
  'create job a --image=b --dry-run=client',
  'create namespace a --dry-run=client',
  'create poddisruptionbudget a --selector=b=c --min-available=1 --dry-run=client',
  'create priorityclass a --value=1 --dry-run=client',
  'create quota a --hard=pods=1 --dry-run=client',
  'create role a --verb=get --resource=pods --dry-run=client',
  'create rolebinding a --role=b --user=c --dry-run=client',
  'create secret docker-registry a --docker-username=b --docker-password=c --dry-run=client',
  'create secret generic a --from-literal=b=c --dry-run=client',
  'create service clusterip a --tcp=80 --dry-run=client',
  'create service externalname a --external-name=b.example.com --dry-run=client',
  'create service loadbalancer a --tcp=80 --dry-run=client',
  'create service nodeport a --tcp=80 --dry-run=client',
  'create serviceaccount a --dry-run=client',
  'replace -f one.yaml --dry-run=server',
  'patch configmap one --patch={"data":{"c":"d"}} --dry-run=server',
  'label configmap one c=d --dry-run=server',
  'annotate configmap one c=d --dry-run=client',
  'scale deployment web --replicas=3 --dry-run=server',
  'undo configmap one --dry-run=server',
  'delete configmap one --dry-run=server',
  'run a --image=b --dry-run=client',
  'expose deployment web --port=80 --dry-run=client',
  'autoscale deployment web --max=3 --dry-run=client',
  'rollout restart deployment web --dry-run=server',
  'rollout pause deployment web --dry-run=server',
  'set env deployment web A=b --dry-run=server',
  'set image deployment web c=b --dry-run=server',
  'set resources deployment web --limits=cpu=1 --dry-run=server',
  'set selector service web app=b --dry-run=server',
  'set serviceaccount deployment web b --dry-run=server',
  'set subject rolebinding readers --user=c --dry-run=server',
  'auth whoami',
  'auth reconcile -f roles.yaml --dry-run=client',
  'why configmap one',
  'why can-i get pods --as=ann',
  'why slow',
  'why deprecated',
  'top --once --interval=100ms',
  'taint node one a=b:NoSchedule --dry-run=server',
  'api-resources',
  'explain pods.spec.containers.image',
  'convert -f one.yaml',
  'check --from=1.21 --to=1.25 one.yaml',
  'config view',
  'config get-contexts',
  'version',
];

/** Commands with --output that need more than a server with objects: their tests have their formats. */
const elsewhere: ReadonlySet<string> = new Set([
  ...['create secret tls', 'create token', 'edit', 'certificate approve', 'certificate deny'],
  ...['rollout history', 'rollout resume', 'rollout undo', 'why refused', 'trace', 'kustomize'],
  'cluster-info dump',
]);

const objectFormats: readonly string[] = [
  ...['', 'wide', 'json', 'yaml', 'name', 'jsonpath={.kind}', 'jsonpath-as-json={.kind}'],
  'custom-columns=KIND:.kind,NAME:.metadata.name',
];

interface Formats {
  readonly command: string;
  readonly formats: readonly string[];
}

/** The commands with a flag --output, and its values. */
async function formatsOf(entries: readonly CommandEntry[], before = ''): Promise<readonly Formats[]> {
  const found: Formats[] = [];
  for (const { name, load, commands: inner = [] } of entries) {
    const command = `${before} ${name}`.trim();
    const type = (await load?.())?.flags['output']?.type;
    if (type !== undefined)
      found.push({ command, formats: type === 'string' ? objectFormats : ['', ...type.split('|')] });
    found.push(...(await formatsOf(inner, command)));
  }
  return found;
}

const all = await formatsOf(commands);

/** The longest command that a line begins with. */
const commandOf = (line: string): Formats | undefined =>
  all
    .filter(({ command }) => `${line} `.startsWith(`${command} `))
    .toSorted((a, b) => b.command.length - a.command.length)[0];

const node = { metadata: { name: 'one' } };
const meta = (name: string, kind: string, apiVersion = 'v1') => ({ apiVersion, kind, metadata: { name } });
const container = { name: 'c', image: 'example.com/a:1' };
/** A value that a terminal would interpret, and one that is wider than a terminal. */
const data = { a: 'b', escape: '\u001b[31mred', long: 'x'.repeat(300) };

async function prepare({ server, folder }: CommandCluster, group: string): Promise<void> {
  const space = '/namespaces/default';
  const post = async (path: string, body: object) => {
    const { status, text } = await server.client.post(path, body);
    assert.equal(status, 201, text);
  };
  await post(`/api/v1${space}/configmaps`, { ...meta('one', 'ConfigMap'), data });
  await post('/api/v1/nodes', node);
  await post(`/api/v1${space}/services`, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  await post(`/apis/apps/v1${space}/deployments`, {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
    },
  });
  await post(`/apis/${group}/v1${space}/rolebindings`, {
    metadata: { name: 'readers' },
    roleRef: { apiGroup: group, kind: 'Role', name: 'readers' },
  });
  await post(`/api/v1${space}/events`, {
    metadata: { name: 'one' },
    involvedObject: { ...{ apiVersion: 'v1', kind: 'ConfigMap', name: 'one', namespace: 'default' } },
    ...{ reason: 'Seen', type: 'Normal', message: `\u001b[31m${'long '.repeat(60)}` },
    lastTimestamp: '2026-01-01T00:00:00Z',
  });
  const files = {
    'one.yaml': { ...meta('one', 'ConfigMap'), data: { a: 'b' } },
    'new.yaml': meta('new', 'ConfigMap'),
    'roles.yaml': { ...meta('readers', 'Role', `${group}/v1`), rules: [] },
  };
  for (const [name, object] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(object));
}

/** A format that the command does not offer is refused by one line on standard error. */
function assertRefused({ status, out, err }: CommandResult): void {
  assert.deepEqual([status, out], [2, ''], err);
  assert.match(err, /^error: [^\n]+\n$/);
}

/** The text has the format, as programs read it. */
function assertReadable(format: string, out: string): void {
  if (out === '') return;
  if (format === 'json' || format.startsWith('jsonpath-as-json')) JSON.parse(out);
  if (format === 'yaml') for (const part of out.split(/^---$/m)) parseYaml(Buffer.from(part));
}

const mistakes = /unexpected failure|undefined|\[object |NaN|Invalid Date/;
const otherNames = /k8s\.io|kubernetes|kubectl|kube-/i;

/**
 * Columns of terminals. Formats that programs read have no lines that would be wrapped on a narrow one and not on a wide one. What a
 * terminal shows does not depend on the naming: the second one has only tables there.
 */
const widthsOf = (format: string, naming: Naming): readonly number[] => {
  if (naming !== 'orch') return ['', 'wide'].includes(format) ? [80] : [];
  return /^(?:json|yaml|name)/.test(format) ? [20] : [20, 200];
};

for (const naming of namings)
  describe(`formats of the output of orchctl, --naming=${naming}`, () => {
    let cluster: CommandCluster;
    before(async () => {
      cluster = await commandCluster(naming, { args: ['--history-retention=1h'] });
      await prepare(cluster, `rbac.authorization.${naming === 'orch' ? 'orch.io' : 'k8s.io'}`);
      // For undo: a second state.
      await cluster.orchctl(['patch', 'configmap', 'one', '-p', '{"data":{"more":"c"}}']);
    });
    after(() => cluster[Symbol.asyncDispose]());

    it('each command with --output has a line here, or tests of its formats elsewhere', () => {
      const tested = new Set(lines.map((line) => commandOf(line)?.command));
      const missing = all.filter(({ command }) => !tested.has(command) && !elsewhere.has(command));
      assert.deepEqual(missing, []);
    });

    const run = (line: string, format: string, surroundings: CommandSurroundings = {}) =>
      cluster.orchctl([...line.split(' '), ...(format === '' ? [] : [`--output=${format}`])], {
        environment: { TERM: 'xterm' },
        ...surroundings,
      });

    for (const line of lines)
      it(`"${line}" has each format, in a pipe and on terminals of any width`, {
        timeout: 180_000,
      }, async () => {
        for (const format of commandOf(line)?.formats ?? []) {
          const piped = await run(line, format);
          assert.doesNotMatch(piped.out + piped.err, mistakes, format);
          if (naming === 'orch') assert.doesNotMatch(piped.out + piped.err, otherNames, format);
          if (piped.status !== 0) {
            assertRefused(piped);
            continue;
          }
          assertReadable(format, piped.out);
          for (const columns of widthsOf(format, naming)) {
            const shown = await run(line, format, { columns });
            assert.equal(shown.status, 0, shown.err);
            const text = stripVTControlCharacters(shown.out);
            // Values never move the cursor: only colors of the program remain, which were stripped.
            assert.ok(!text.includes('\u001b'), `${format} with ${columns} columns`);
            assertReadable(format, text);
            if (line.startsWith('top')) continue;
            // Answers of `why` continue at words; other lines are as many as in a pipe.
            const unit = line.startsWith('why') ? /\s+/ : '\n';
            assert.equal(text.split(unit).length, piped.out.split(unit).length, format);
            const firstCells = (all: string) => all.split('\n').map((one) => one.split(/\s/)[0]);
            if (line.startsWith('get')) assert.deepEqual(firstCells(text), firstCells(piped.out), format);
          }
        }
      });
  });
