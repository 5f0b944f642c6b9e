import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCommandLine } from '@orch/orchctl/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';

for (const naming of ['orch', 'kubernetes'] as const)
  describe(`orchctl and a server with --naming=${naming}`, () => {
    let server: LaunchedServer;
    before(async () => {
      server = await launchServer({ naming });
    });
    after(() => server[Symbol.asyncDispose]());
    const run = (...argv: string[]) => runCommandLine([...argv, `--kubeconfig=${server.adminConfig}`]);

    it('"version" prints the version of the server', async () => {
      const { status, out, err } = await run('version');
      assert.deepEqual([status, err], [0, '']);
      assert.match(out, /^Client Version: v.+\nServer Version: v1\.\d+\.\d+.*\n$/);
    });

    it('"api-resources" prints resources of the naming of the server', async () => {
      const { status, out } = await run('api-resources');
      assert.equal(status, 0);
      assert.match(out, /^NAME +SHORTNAMES +APIVERSION +NAMESPACED +KIND\n/);
      assert.match(out, /^pods +po +v1 +true +Pod$/m);
      assert.equal(/rbac\.authorization\.k8s\.io\/v1/.test(out), naming === 'kubernetes');
    });
  });
