import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { builtinResources, networkTransport, waitFor } from '@orch/client';
import { type ApiObject, namesFor } from '@orch/machinery';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { parseYaml } from '@orch/machinery/yaml';
import { launchServer } from '@orch/testkit';
import { installProfiles, type Profile, profiles } from '../../examples/namespace-settings/profile.ts';
import { runOperator } from '../../examples/namespace-settings/run-operator.ts';
import { adminClient, adminSettings } from './connection.ts';

const PROFILES = 'settings-profiles';
const manifests = join(import.meta.dirname, '..', '..', 'examples', 'namespace-settings', 'profiles.yaml');

const documents = (): readonly ApiObject[] =>
  readFileSync(manifests, 'utf8')
    .split(/^---$/m)
    .map((text) => parseYaml(Buffer.from(text)) as ApiObject);

describe('the manifests of the example operator', { timeout: 60_000 }, () => {
  for (const naming of ['orch', 'kubernetes'] as const) {
    it(`the example operator works with its manifests on an empty server, ${naming} naming`, async () => {
      await using server = await launchServer({ naming });
      await using connected = adminClient(server, naming);
      const { client } = connected;
      const { configmaps, namespaces } = builtinResources(client.names).core.v1;
      const stop = new AbortController();
      const env = systemEnv({ log: silentLogger });
      const transport = networkTransport(adminSettings(server), env);
      const options = { transport, names: namesFor(naming), env, host: 'test', namespace: PROFILES };
      const run = runOperator(options, stop.signal);
      // It is installed by the operator too; nothing else is there yet, not even the namespace of its Lease.
      await installProfiles(client, env, stop.signal);
      for (const object of documents()) {
        if (object.kind === 'Namespace') await client.resource(namespaces).create(object);
        else await client.resource(profiles, PROFILES).create(object as Profile);
      }
      const within = { client, env, timeoutMs: 30_000 };
      const settings = await waitFor(
        {
          ...within,
          resource: configmaps,
          namespace: 'shop',
          name: 'settings',
          is: (found) => found !== undefined,
        },
        stop.signal,
      );
      assert.deepEqual(settings?.data, { replicas: '1', 'log-level': 'info' });
      const isCounted = (found: Profile | undefined): boolean => found?.status?.namespaces === 1;
      await waitFor(
        { ...within, resource: profiles, namespace: PROFILES, name: 'small', is: isCounted },
        stop.signal,
      );
      stop.abort(new Error('the test is over'));
      await run;
      await transport.close();
    });
  }
});
