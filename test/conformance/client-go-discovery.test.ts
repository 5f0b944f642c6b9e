import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildGoProgram, launchServer, observations } from '@orch/testkit';

const discover = await buildGoProgram(join(import.meta.dirname, 'go', 'discover'));

interface Step {
  readonly step: 'aggregated' | 'legacy' | 'first' | 'invalidated';
  /** `group/version resource kind verbs`, of subresources too. */
  readonly resources: readonly string[];
  readonly requests: readonly {
    readonly path: string;
    readonly status: number;
    readonly contentType?: string;
  }[];
}

const [core, groups] = ['/api?timeout=32s', '/apis?timeout=32s'];
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

if (discover.kind === 'missing') {
  describe('discovery client of client-go', () => {
    it.skip(`client-go reads discovery as two documents: ${discover.reason}`, () => {});
  });
} else {
  const { program } = discover;

  describe('discovery client of client-go', { timeout: 120_000 }, () => {
    for (const release of ['1.24', '1.27', 'latest']) {
      it(`client-go reads discovery of release ${release} as two documents, and cached ones are answered with 304`, async () => {
        const work = mkdtempSync(join(tmpdir(), 'orch-discovery-'));
        await using server = await launchServer({
          naming: 'kubernetes',
          release,
        });
        const steps = observations<Step>(await program.run(server, [work]));
        rmSync(work, { recursive: true, force: true });
        const of = (name: Step['step']): Step =>
          steps.find(({ step }) => step === name) ?? assert.fail(`no step ${name}`);
        const requestsOf = (name: Step['step']): readonly string[] =>
          of(name)
            .requests.map(({ path, status }) => `${status} ${path}`)
            .sort();

        assert.deepEqual(requestsOf('aggregated'), [`200 ${core}`, `200 ${groups}`]);
        for (const { contentType } of of('aggregated').requests) assert.equal(contentType, aggregated);
        assert.deepEqual(requestsOf('first'), [`200 ${core}`, `200 ${groups}`]);
        assert.deepEqual(requestsOf('invalidated'), [`304 ${core}`, `304 ${groups}`]);

        const { resources } = of('legacy');
        assert.ok(
          resources.includes('apps/v1 deployments/scale Scale get patch update'),
          resources.join('\n'),
        );
        assert.ok(of('legacy').requests.length > 10);
        for (const step of steps) assert.deepEqual(step.resources, resources, step.step);
      });
    }
  });
}
