import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { type Files, files } from '../config/testing/files.ts';
import { simple } from '../config/testing/load.ts';
import { served } from '../rest/testing/served.ts';
import { createClient } from './connect.ts';
import { type LoadConfigOptions, loadConfig } from './load-config.ts';
import { programName } from './this-process.ts';

const groups = (...names: readonly string[]): object => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: names.map((name) => ({ name })),
});

/** A program without any configuration, with its home in a folder. */
const nowhere = (folder: Files, options: LoadConfigOptions = {}): LoadConfigOptions => ({
  env: testEnv(),
  environment: {},
  homeFolder: folder.folder,
  ...options,
});

describe('the configuration of a program', () => {
  for (const naming of namings)
    it(`the naming of the server is detected by its groups (${naming})`, async () => {
      await using server = await served(() => ({ body: groups('apps', namesFor(naming).groups.rbac) }));
      using folder = files({
        config: simple({ cluster: { server: server.peer.url }, context: { namespace: 'a' } }),
      });
      const config = await loadConfig(nowhere(folder, { files: [folder.path('config')] }));
      assert.deepEqual([config.names.naming, config.namespace], [naming, 'a']);
      assert.deepEqual(
        server.seen.map(({ method, target }) => `${method} ${target}`),
        ['GET /apis'],
      );
      assert.equal(createClient(config).names, config.names);
      await config.transport.close();
    });

  it('a given naming needs no request', async () => {
    using folder = files({ config: simple() });
    const config = await loadConfig(
      nowhere(folder, { files: [folder.path('config')], naming: 'kubernetes' }),
    );
    assert.equal(config.names.naming, 'kubernetes');
    assert.equal(config.namespace, 'default');
    await config.transport.close();
  });

  for (const naming of namings)
    it(`the files that the environment lists are merged (${naming})`, async () => {
      using folder = files({
        first: JSON.stringify({ 'current-context': 'there' }),
        second: simple().replaceAll('here', 'there'),
        [join('.kube', 'config')]: simple({ cluster: { server: 'https://home.test' } }),
      });
      const list = ['missing', 'first', 'second'].map((name) => folder.path(name)).join(':');
      const environment = { [namesFor(naming).environment.clientConfig]: list };
      const config = await loadConfig(nowhere(folder, { environment, naming: 'orch' }));
      assert.equal(config.settings.server, 'https://one.test:6443');
      await config.transport.close();
    });

  it('the file in the home folder comes before the service account of a pod', async () => {
    using folder = files({ [join('.kube', 'config')]: simple({ cluster: { server: 'https://home.test' } }) });
    const { serviceHost, servicePort } = namesFor('kubernetes').environment;
    const environment = { [serviceHost]: '10.0.0.1', [servicePort]: '443' };
    const config = await loadConfig(nowhere(folder, { environment, naming: 'orch' }));
    assert.equal(config.settings.server, 'https://home.test');
    await config.transport.close();
  });

  it('a pod without files uses its service account', async () => {
    using folder = files();
    const { serviceHost, servicePort } = namesFor('kubernetes').environment;
    const environment = { [serviceHost]: '10.0.0.1', [servicePort]: '443' };
    // This test does not run in a pod: the files of the account are missing.
    await assert.rejects(loadConfig(nowhere(folder, { environment })), (error: Error) => {
      assert.equal(error.name, 'ConfigError');
      assert.match(error.message, new RegExp(namesFor('kubernetes').paths.serviceAccount));
      return true;
    });
  });

  it('a program without any configuration gets one error with all places', async () => {
    using folder = files();
    await assert.rejects(loadConfig(nowhere(folder)), {
      name: 'ConfigError',
      message: /neither ORCHCONFIG nor KUBECONFIG is set, there is no .*config, and this is not a pod/,
    });
  });

  it('the user agent names the script by default', () => {
    const names = ['/app/keeper.mjs', '/app/my keeper', '', undefined].map((script) => programName(script));
    assert.deepEqual(names, ['keeper', 'my-keeper', 'node', 'node']);
  });

  it('a proxy of the environment is used', async () => {
    using folder = files({ config: simple() });
    const environment = { HTTPS_PROXY: 'http://proxy.test:3128' };
    const options = { environment, files: [folder.path('config')], naming: 'orch' } as const;
    const config = await loadConfig(nowhere(folder, options));
    assert.equal(config.settings.proxyUrl, 'http://proxy.test:3128');
    await config.transport.close();
  });

  it('a server that refuses the question for its naming fails the call', async () => {
    await using server = await served(() => ({
      status: 401,
      body: { kind: 'Status', code: 401, reason: 'Unauthorized' },
    }));
    using folder = files({ config: simple({ cluster: { server: server.peer.url } }) });
    await assert.rejects(loadConfig(nowhere(folder, { files: [folder.path('config')] })), { code: 401 });
  });
});
