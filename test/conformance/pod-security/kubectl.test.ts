import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer, representativeKubectls } from '@orch/testkit';
import { KubectlSession } from '../kubectl-session.ts';

const kubectls = await representativeKubectls(join(import.meta.dirname, '..', '..', '..'));

if (kubectls.length === 0) {
  describe('pod security with kubectl', () => {
    it.skip('kubectl shows what violates a level: no kubectl on this machine', () => {});
  });
}

const LABEL = 'pod-security.kubernetes.io';

describe('pod security with kubectl', { timeout: 240_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'kubectl-'));
  let server: LaunchedServer;

  before(async () => {
    server = await launchServer({ naming: 'kubernetes' });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });

  for (const kubectl of kubectls) {
    const { release } = kubectl;
    const open = (name: string): Promise<KubectlSession> =>
      KubectlSession.open(kubectl, server, home, `${name}-${release.replace('.', '-')}`);

    it(`kubectl ${release} prints a warning for existing pods when a namespace gets a level`, async () => {
      const session = await open('labelled');
      await session.ok('run', 'web', '--image=nginx');
      const args = ['label', 'namespace', session.namespace, `${LABEL}/enforce=restricted`];
      const trial = await session.expect(0, [...args, '--dry-run=server']);
      const labelled = await session.expect(0, args);
      for (const { stderr } of [trial, labelled]) {
        assert.match(
          stderr,
          /Warning: existing pods in namespace "labelled-.*" violate the new PodSecurity enforce level "restricted:latest"/,
        );
        assert.match(
          stderr,
          /Warning: web: allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile/,
        );
      }
    });

    it(`kubectl ${release} run prints what a pod violates`, async () => {
      const session = await open('enforced');
      await session.ok('label', 'namespace', session.namespace, `${LABEL}/enforce=restricted`);
      const { stderr } = await session.expect(1, ['run', 'web', '--image=nginx']);
      assert.match(
        stderr,
        /pods "web" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false \(container "web" must set securityContext\.allowPrivilegeEscalation=false\), unrestricted capabilities \(container "web" must set securityContext\.capabilities\.drop=\["ALL"\]\), runAsNonRoot != true/,
      );
    });

    it(`kubectl ${release} create deployment prints a warning, and creates the deployment`, async () => {
      const session = await open('warned');
      await session.ok('label', 'namespace', session.namespace, `${LABEL}/warn=restricted`);
      const { stdout, stderr } = await session.expect(0, ['create', 'deployment', 'web', '--image=nginx']);
      assert.match(stdout, /deployment\.apps\/web created/);
      assert.match(
        stderr,
        /Warning: would violate PodSecurity "restricted:latest": .* must set securityContext\.seccompProfile\.type to "RuntimeDefault" or "Localhost"\)/,
      );
    });

    it(`kubectl ${release} label refuses a level that does not exist`, async () => {
      const session = await open('invalid');
      const { stderr } = await session.expect(1, [
        'label',
        'namespace',
        session.namespace,
        `${LABEL}/enforce=strict`,
      ]);
      assert.match(stderr, /Invalid value: "strict": must be one of privileged, baseline, restricted/);
    });
  }
});
