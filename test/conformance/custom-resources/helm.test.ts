import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { asObject, specOf } from '@orch/machinery/json';
import { buildHelm, HelmSession } from '../helm-session.ts';
import { databaseDefinition, GROUP } from './databases.ts';

const helm = await buildHelm();

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

if (helm.kind === 'missing') {
  describe('helm with a chart that has definitions', () => {
    it.skip(`helm installs definitions with objects of them: ${helm.reason}`, () => {});
  });
} else {
  const { program } = helm;

  describe('helm with a chart that has definitions', { timeout: 120_000 }, () => {
    let session: HelmSession;
    let folder: string;

    before(async () => {
      session = await HelmSession.start(program, { program: 'orch', release: 'latest' });
      folder = session.write('chart', chart);
    });
    after(async () => session[Symbol.asyncDispose]());

    const found = async (): Promise<object> =>
      asObject((await session.get('/api/v1/namespaces/default/configmaps/one-found'))['data']);

    it('helm install creates a definition and an object of it in one run', async () => {
      assert.match(
        await session.ok('install', 'one', folder, '--wait', '--timeout=50s'),
        /^STATUS: deployed$/m,
      );
      assert.deepEqual(specOf(await session.get(`${databases}/one`)), { engine: 'postgres', replicas: 2 });
      assert.deepEqual(await found(), { served: 'true', before: 'null' });
    });

    it('helm install leaves a definition that is there as it is', async () => {
      const { metadata } = await session.get(definition);
      await session.ok('install', 'two', folder);
      assert.equal((await session.get(definition)).metadata.resourceVersion, metadata.resourceVersion);
      await session.ok('uninstall', 'two', '--wait', '--timeout=50s');
      assert.equal((await session.server.client.get(`${databases}/two`)).status, 404);
    });

    it('helm upgrade changes the objects of a release, and helm templates look custom resources up', async () => {
      const { metadata } = await session.get(`${databases}/one`);
      await session.ok('upgrade', 'one', folder, '--set=replicas=3', '--wait', '--timeout=50s');
      const changed = await session.get(`${databases}/one`);
      assert.deepEqual(specOf(changed), { engine: 'postgres', replicas: 3 });
      assert.equal(changed.metadata.uid, metadata.uid);
      assert.deepEqual(await found(), { served: 'true', before: '{"engine":"postgres","replicas":2}' });
    });

    it('helm upgrade prints the field and the reason of an invalid custom resource, and changes nothing', async () => {
      const { code, stderr } = await session.raw(
        'upgrade',
        'one',
        folder,
        '--reuse-values',
        '--set=engine=oracle',
      );
      assert.equal(code, 1);
      assert.match(stderr, /spec\.engine: Unsupported value: "oracle"/);
      assert.deepEqual(specOf(await session.get(`${databases}/one`)), { engine: 'postgres', replicas: 3 });
      assert.match(await session.ok('history', 'one'), /^3\s.*failed/m);
    });

    it('helm rollback brings the objects of an earlier revision back', async () => {
      await session.ok('rollback', 'one', '1', '--wait', '--timeout=50s');
      assert.deepEqual(specOf(await session.get(`${databases}/one`)), { engine: 'postgres', replicas: 2 });
    });

    it('helm uninstall deletes the objects and keeps the definition', async () => {
      await session.ok('uninstall', 'one', '--wait', '--timeout=50s');
      assert.equal((await session.server.client.get(`${databases}/one`)).status, 404);
      assert.equal((await session.get(definition)).metadata.deletionTimestamp, undefined);
      assert.match(await session.ok('list', '--all', '--short'), /^\s*$/);
    });
  });
}
