import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ApiObject, asObject, specOf } from '@orch/machinery';
import {
  buildGoProgram,
  type CommandResult,
  type LaunchedServer,
  launchServer,
  run,
  temporaryFolder,
} from '@orch/testkit';
import { databaseDefinition, GROUP } from './databases.ts';

const module = join(import.meta.dirname, '..', 'go');
const helm = await buildGoProgram(module, 'helm', 'helm.sh/helm/v3/cmd/helm');

const databases = `/apis/${GROUP}/v1/namespaces/default/databases`;
const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/databases.${GROUP}`;

/** Files of a chart with a definition and, in one of its templates, an object of the defined kind. */
const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: database\nversion: 0.1.0\n',
  'values.yaml': 'engine: postgres\nreplicas: 2\n',
  'crds/databases.yaml': JSON.stringify(databaseDefinition),
  'templates/database.yaml': `
apiVersion: ${GROUP}/v1
kind: Database
metadata:
  name: {{ .Release.Name }}
spec:
  engine: {{ .Values.engine }}
  replicas: {{ .Values.replicas }}
`,
  'templates/found.yaml': `
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-found
data:
  served: {{ .Capabilities.APIVersions.Has "${GROUP}/v1/Database" | quote }}
  before: {{ (lookup "${GROUP}/v1" "Database" .Release.Namespace .Release.Name).spec | toJson | quote }}
`,
};

function writeChart(folder: string): void {
  for (const name of ['crds', 'templates']) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(chart)) writeFileSync(join(folder, name), text);
}

if (helm.kind === 'missing') {
  describe('helm with a chart that has definitions', () => {
    it.skip(`helm installs definitions with objects of them: ${helm.reason}`, () => {});
  });
} else {
  const { path } = helm.program;

  describe('helm with a chart that has definitions', { timeout: 120_000 }, () => {
    const home = temporaryFolder();
    const folder = join(home.path, 'chart');
    let server: LaunchedServer;

    before(async () => {
      writeChart(folder);
      server = await launchServer({ program: 'orch', naming: 'kubernetes' });
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    });

    const raw = (...args: readonly string[]): Promise<CommandResult> =>
      run(path, args, { env: { KUBECONFIG: server.adminConfig, HOME: home.path } });
    const ok = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr, stdout } = await raw(...args);
      assert.equal(code, 0, `helm ${args.join(' ')}\n${stdout}${stderr}`);
      return stdout;
    };
    const get = async (path: string): Promise<ApiObject> => {
      const { json, status, text } = await server.client.get(path);
      assert.equal(status, 200, text);
      return json as ApiObject;
    };
    const found = async (): Promise<object> =>
      asObject((await get('/api/v1/namespaces/default/configmaps/one-found'))['data']);

    it('helm install creates a definition and an object of it in one run', async () => {
      assert.match(await ok('install', 'one', folder, '--wait', '--timeout=50s'), /^STATUS: deployed$/m);
      assert.deepEqual(specOf(await get(`${databases}/one`)), { engine: 'postgres', replicas: 2 });
      assert.deepEqual(await found(), { served: 'true', before: 'null' });
    });

    it('helm install leaves a definition that is there as it is', async () => {
      const { metadata } = await get(definition);
      await ok('install', 'two', folder);
      assert.equal((await get(definition)).metadata.resourceVersion, metadata.resourceVersion);
      await ok('uninstall', 'two', '--wait', '--timeout=50s');
      assert.equal((await server.client.get(`${databases}/two`)).status, 404);
    });

    it('helm upgrade changes the objects of a release, and helm templates look custom resources up', async () => {
      const { metadata } = await get(`${databases}/one`);
      await ok('upgrade', 'one', folder, '--set=replicas=3', '--wait', '--timeout=50s');
      const changed = await get(`${databases}/one`);
      assert.deepEqual(specOf(changed), { engine: 'postgres', replicas: 3 });
      assert.equal(changed.metadata.uid, metadata.uid);
      assert.deepEqual(await found(), { served: 'true', before: '{"engine":"postgres","replicas":2}' });
    });

    it('helm upgrade prints the field and the reason of an invalid custom resource, and changes nothing', async () => {
      const { code, stderr } = await raw('upgrade', 'one', folder, '--reuse-values', '--set=engine=oracle');
      assert.equal(code, 1);
      assert.match(stderr, /spec\.engine: Unsupported value: "oracle"/);
      assert.deepEqual(specOf(await get(`${databases}/one`)), { engine: 'postgres', replicas: 3 });
      assert.match(await ok('history', 'one'), /^3\s.*failed/m);
    });

    it('helm rollback brings the objects of an earlier revision back', async () => {
      await ok('rollback', 'one', '1', '--wait', '--timeout=50s');
      assert.deepEqual(specOf(await get(`${databases}/one`)), { engine: 'postgres', replicas: 2 });
    });

    it('helm uninstall deletes the objects and keeps the definition', async () => {
      await ok('uninstall', 'one', '--wait', '--timeout=50s');
      assert.equal((await server.client.get(`${databases}/one`)).status, 404);
      assert.equal((await get(definition)).metadata.deletionTimestamp, undefined);
      assert.match(await ok('list', '--all', '--short'), /^\s*$/);
    });
  });
}
