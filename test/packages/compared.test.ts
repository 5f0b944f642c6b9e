import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { type LaunchedServer, launchServer, start } from '@orch/testkit';
import { transformSync } from 'esbuild';
import { programsIn, unpackedProject, widgetDefinition } from './project.ts';

const STARTED_MS = 60_000;

const page = join(import.meta.dirname, '..', '..', 'docs', 'coming-from-other-clients.md');
const project = await unpackedProject();
const maps = '/api/v1/namespaces/default/configmaps';

/** A program of the page, by a text that only this one has. */
function programWith(text: string): string {
  const [found = '', ...others] = programsIn(page).filter((program) => program.includes(text));
  assert.deepEqual([found === '', others.length], [false, 0], text);
  return transformSync(found, { loader: 'ts', format: 'esm', target: 'es2022' }).code;
}

describe('the programs of the page for users of other libraries', { timeout: 300_000 }, () => {
  let server: LaunchedServer;
  const environment = (): NodeJS.ProcessEnv => ({ KUBECONFIG: server.adminConfig, ORCHCONFIG: '' });
  const startProgram = (file: string) =>
    start(process.execPath, [file], { cwd: project.folder, env: { ...process.env, ...environment() } });

  before(async () => {
    project.write({
      'objects.mjs': programWith('maps.create('),
      // Another port than that of the page, which may be in use on this machine.
      'reconcile.mjs': programWith('runManager').replace('port: 8081', 'port: 0'),
      'watch.mjs': programWith('followObjects'),
      'tests.mjs': programWith('startControlPlane'),
      'config/crd/widgets.json': JSON.stringify(widgetDefinition()),
    });
    server = await launchServer();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    project[Symbol.dispose]();
  });

  it('the program that reads and writes creates the object that it does not find', async () => {
    for (const _ of ['absent', 'present']) {
      const { code, stdout, stderr } = await project.run(process.execPath, ['objects.mjs'], environment());
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /^\d+\n$/);
    }
    const { json } = await server.client.get(`${maps}/colours`);
    assert.deepEqual((json as { readonly data: object }).data, { sky: 'blue' });
  });

  it('the program that reconciles repairs an object, and ends on SIGTERM', async () => {
    await server.client.send('POST', maps, { body: { metadata: { name: 'wrong' }, data: { sky: 'red' } } });
    const running = startProgram('reconcile.mjs');
    await using _stopped = running;
    await eventually(
      () => server.client.get(`${maps}/wrong`),
      ({ json }) => (json as { readonly data: Record<string, string> }).data['sky'] === 'blue',
    );
    const { code } = await running.stop('SIGTERM');
    assert.equal(code, 0, running.output());
  });

  it('the program that watches shows the objects that are there, and then each change', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const pod = (name: string) => ({
      body: {
        metadata: { name, labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'web:1' }] },
      },
    });
    await server.client.send('POST', pods, pod('first'));
    const running = startProgram('watch.mjs');
    await using _stopped = running;
    await running.waitFor(/^is there first$/m, STARTED_MS);
    await server.client.send('POST', pods, pod('second'));
    await running.waitFor(/^ADDED second$/m, STARTED_MS);
  });

  it('the program that starts a control plane for tests runs to its end', async () => {
    const { code, stderr } = await project.run(process.execPath, ['tests.mjs']);
    assert.deepEqual([code, stderr], [0, '']);
  });
});
