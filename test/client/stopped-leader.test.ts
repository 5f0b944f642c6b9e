import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { builtinResources, type Fence, fenceInUserAgent, waitFor } from '@orch/client';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { launchServer, type RunningProcess, start } from '@orch/testkit';
import { installProfiles, profiles } from '../../examples/namespace-settings/profile.ts';
import { adminClient } from './connection.ts';

const root = join(import.meta.dirname, '..', '..');
const PROFILES = 'settings-profiles';

const policy = `
apiVersion: audit.orch.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{ level: Metadata }]
`;

interface AuditEvent {
  readonly verb: string;
  readonly userAgent?: string;
  readonly responseStatus?: { readonly code?: number };
}

/** The fences of all writes that were carried out, in the order of the log. */
function fencesIn(log: string): Fence[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(
      ({ verb, responseStatus }) =>
        !['get', 'list', 'watch'].includes(verb) && (responseStatus?.code ?? 500) < 300,
    )
    .map(({ userAgent = '' }) => fenceInUserAgent(userAgent))
    .filter((fence) => fence !== undefined);
}

describe('leader that is suspended for longer than its Lease', { timeout: 150_000 }, () => {
  it('a leader that resumes after its Lease has expired executes no writes and exits, as the audit log shows', async () => {
    const work = mkdtempSync(join(tmpdir(), 'orch-stopped-'));
    const log = join(work, 'audit.log');
    const policyFile = join(work, 'policy.yaml');
    writeFileSync(policyFile, policy);
    await using server = await launchServer({
      args: [`--audit-policy-file=${policyFile}`, `--audit-log-path=${log}`],
    });
    await using connected = adminClient(server, 'orch');
    const { client } = connected;
    const { configmaps, namespaces } = builtinResources(client.names).core.v1;
    const signal = AbortSignal.timeout(120_000);
    const env = systemEnv({ log: silentLogger });
    const settings = async (value: string): Promise<void> => {
      const is = (object: { data?: Record<string, string> } | undefined): boolean =>
        object?.data?.['value'] === value;
      const wanted = {
        client,
        env,
        resource: configmaps,
        namespace: 'shop',
        name: 'settings',
        is,
        timeoutMs: 60_000,
      };
      await waitFor(wanted, signal);
    };
    const config = join(work, 'client.conf');
    writeFileSync(
      config,
      readFileSync(server.adminConfig, 'utf8').replace(/server: \S+/, `server: ${server.url}`),
    );
    const operator = (): RunningProcess =>
      start(join(root, 'scripts', 'node'), [
        join(root, 'examples', 'namespace-settings', 'main.ts'),
        `--client-config=${config}`,
      ]);
    await client.resource(namespaces).create({ metadata: { name: PROFILES } });
    const annotations = { 'settings.example.com/profile': 'small' };
    await client.resource(namespaces).create({ metadata: { name: 'shop', annotations } });
    await installProfiles(client, env, signal);
    const inProfiles = client.resource(profiles, PROFILES);
    await inProfiles.create({ metadata: { name: 'small' }, spec: { data: { value: '1' } } });

    await using first = operator();
    await settings('1');
    await using second = operator();
    await second.waitFor(/standing by/, 30_000);
    first.child.kill('SIGSTOP');
    await inProfiles.patch.merge('small', { spec: { data: { value: '2' } } });
    await settings('2');
    // The cache of the first operator is outdated, and settings have to be written.
    await inProfiles.patch.merge('small', { spec: { data: { value: '3' } } });
    first.child.kill('SIGCONT');
    await first.waitFor(/leadership has ended/, 30_000);
    await settings('3');
    await first.waitFor(/the operator ended/, 30_000);
    assert.equal((await second.stop('SIGTERM')).code, 0);

    const fences = fencesIn(log);
    const holders = new Map(fences.map(({ transitions, holder }) => [transitions, holder]));
    assert.deepEqual([...holders.keys()], [0, 1]);
    assert.equal(new Set(holders.values()).size, 2);
    assert.ok(fences.every(({ transitions, holder }) => holders.get(transitions) === holder));
    const order = fences.map(({ transitions }) => transitions);
    assert.deepEqual(order, order.toSorted(), 'no leader wrote after its successor');
    rmSync(work, { recursive: true, force: true });
  });
});
