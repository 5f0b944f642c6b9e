import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import fc from 'fast-check';
import { Probe } from './random-requests/probe.ts';
import {
  badValues,
  methods,
  parameters,
  type RandomRequest,
  randomRequest,
} from './random-requests/requests.ts';
import { readTargets, type Target } from './random-requests/targets.ts';
import { problemOf } from './random-requests/verdict.ts';

const seed = Number(process.env['TEST_SEED'] ?? 20261122) || Date.now();
const RANDOM_REQUESTS = Number(process.env['RANDOM_REQUESTS'] ?? 500);
/** Number of concurrent requests: those that wait for a version do not delay the others. */
const TOGETHER = 16;

for (const release of ['1.15', '1.27'] as const) {
  describe(`no request makes a server of release ${release} fail (seed ${seed})`, {
    timeout: 170_000,
  }, () => {
    const work = mkdtempSync(join(tmpdir(), 'orch-random-'));
    let server: LaunchedServer;
    let probe: Probe;
    let targets: readonly Target[];

    before(async () => {
      const policy = join(work, 'policy.yaml');
      writeFileSync(
        policy,
        'apiVersion: audit.orch.io/v1\nkind: Policy\nrules: [{ level: RequestResponse, verbs: [create, update, patch, delete] }]\n',
      );
      server = await launchServer({
        args: [
          `--emulated-version=${release}`,
          '--runtime-config=api/all=true',
          '--authorization-mode=Node,RBAC',
          '--enable-admission-plugins=NodeRestriction,OwnerReferencesPermissionEnforcement',
          `--audit-policy-file=${policy}`,
          `--audit-log-path=${join(work, 'audit.log')}`,
          '--max-requests-inflight=0',
          '--max-mutating-requests-inflight=0',
        ],
      });
      probe = new Probe(server);
      targets = await readTargets(server.client, release);
      for (const { path, place, body } of targets) {
        if (place === 'collection') await server.client.post(path, body as object);
      }
    });
    after(async () => {
      probe[Symbol.dispose]();
      await server.stop();
      await server[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    });

    /** Sends all of them, some concurrently, and fails with every request that was answered incorrectly. */
    async function expectOnlyClientErrors(requests: readonly RandomRequest[]): Promise<void> {
      const problems: string[] = [];
      const waiting = requests.values();
      const work = async (): Promise<void> => {
        for (const request of waiting) {
          const problem = await probe.send(request).then(
            (outcome) => {
              const found = problemOf(request, outcome);
              return found === undefined ? undefined : `${found}: ${outcome.text.slice(0, 300)}`;
            },
            (error: Error) => `no answer: ${error.message}`,
          );
          if (problem !== undefined) problems.push(`${shown(request)}\n    ${problem}`);
        }
      };
      await Promise.all(Array.from({ length: TOGETHER }, work));
      assert.equal(
        problems.length,
        0,
        `${problems.length} of ${requests.length} requests:\n${problems.slice(0, 40).join('\n')}`,
      );
      assert.doesNotMatch(server.output(), /request failed unexpectedly/);
    }

    it('every query parameter with every invalid value is answered without 5xx, for all sorts of resources and all methods', async () => {
      await expectOnlyClientErrors(everyBadValue(release === '1.15' ? 0 : 1));
    });

    it(`${RANDOM_REQUESTS} random requests with invalid parameters, headers and bodies are answered without 5xx by every resource`, async () => {
      await expectOnlyClientErrors(fc.sample(randomRequest(targets), { seed, numRuns: RANDOM_REQUESTS }));
    });
  });
}

/**
 * Each value of each parameter: in reads of the first paths and with any method on all of them, in turn. `shift`
 * changes the first in turn.
 */
function everyBadValue(shift: 0 | 1): readonly RandomRequest[] {
  const values = parameters.flatMap((name) =>
    badValues.map((value) => `${name}=${value.replace('PARAMETER', name)}`),
  );
  // Lengths without a common factor: every value meets another path and another method.
  const at = <T>(all: readonly T[], i: number): T =>
    all[i % all.length] ?? assert.fail('nothing to choose from');
  const request = (method: string, path: string, query: string): RandomRequest => ({
    method,
    path: `${path}?${query}`,
    headers: {},
    body: undefined,
  });
  return values.map((query, i) =>
    (i + shift) % 2 === 0
      ? request('GET', at(readPaths, i), query)
      : request(at(methods, i >> 1), at([...readPaths, ...otherPaths], i), query),
  );
}

const readPaths = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/configmaps/none',
  '/api/v1/nodes',
];
const otherPaths = [
  '/api/v1/watch/pods',
  '/apis/authorization.orch.io/v1/selfsubjectaccessreviews',
  '/api/v1/namespaces/default/pods/none/status',
  '/api/v1/namespaces/default/pods/none/log',
  '/api/v1/namespaces/default/pods/none/eviction',
  '/apis/apps/v1/namespaces/default/deployments/none/scale',
  '/api/v1/componentstatuses',
  '/apis',
  '/api/v1',
  '/openapi/v2',
];

const shown = ({ method, path, headers, body }: RandomRequest): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${body === undefined ? '' : JSON.stringify(String(body)).slice(0, 1500)}`;
