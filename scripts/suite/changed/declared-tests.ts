/**
 * The tests across packages that prove a part of the repository, nearest first: imports lead from nearly every part to
 * all of them.
 */
export interface Declared {
  /** Files, or folders with all in them. */
  readonly changed: readonly string[];
  /** Test files and folders of tests. */
  readonly tests: readonly string[];
}

/** Run after every change: these compare the files of the repository with each other. */
export const always = 'test/architecture';

/** A change of these files can change the result of every test. */
export const everything = ['package.json', 'package-lock.json', 'scripts/node'];

const of = (name: string, ...tests: readonly string[]): Declared => ({
  changed: [`packages/${name}`],
  tests,
});

export const declaredTests: readonly Declared[] = [
  of('admission', 'test/admission', 'test/lifecycle/admission.test.ts'),
  of(
    'aggregation',
    'test/conformance/aggregation',
    'test/replicas/aggregation.test.ts',
    'test/api/api-service-versions.test.ts',
  ),
  of('apis', 'test/lifecycle'),
  of(
    'apiserver',
    'test/api/serving-flags.test.ts',
    'test/api/clean-start.test.ts',
    'test/reliability',
    'test/monitoring',
    'test/tracing',
  ),
  of('apply', 'test/conformance/apply.test.ts', 'test/api/writes.test.ts'),
  of(
    'auth',
    'test/conformance/access.test.ts',
    'test/conformance/tokens.test.ts',
    'test/adversarial/credential-values.test.ts',
    'test/api/token-webhook.test.ts',
  ),
  of('backup', 'test/backup', 'test/stores'),
  of(
    'cache',
    'test/api/reads.test.ts',
    'test/adversarial/watches.test.ts',
    'test/replicas/replicas.test.ts',
    'test/reliability',
  ),
  of(
    'cel',
    'test/conformance/cel',
    'test/admission/validating-policies.test.ts',
    'test/admission/mutating-policies.test.ts',
  ),
  of('client', 'test/client', 'test/packages', 'test/controllers/managers.test.ts'),
  of('console', 'test/console'),
  of(
    'connect',
    'test/api/node-agents.test.ts',
    'test/conformance/node-streams.test.ts',
    'test/orchctl/connect.test.ts',
  ),
  of('controller-manager', 'test/controllers', 'test/monitoring/faults-controllers.test.ts'),
  of('controllers', 'test/controllers'),
  of('custom-resources', 'packages/server/src/custom-resources', 'test/custom-resources'),
  of(
    'discovery',
    'test/api/discovery.test.ts',
    'test/conformance/client-go-discovery.test.ts',
    'test/conformance/explain.test.ts',
  ),
  of('encryption', 'test/encryption'),
  of('explanations', 'test/orchctl/why.test.ts'),
  of('history', 'test/replicas/history.test.ts', 'test/orchctl/history.test.ts'),
  of(
    'http',
    'test/adversarial/http1.test.ts',
    'test/adversarial/http2.test.ts',
    'test/adversarial/shutdown.test.ts',
    'test/api/negotiation.test.ts',
  ),
  of('kinds', 'test/lifecycle'),
  of('machinery', 'test/api', 'test/adversarial', 'test/fuzz'),
  of('orch', 'test/deploy', 'test/controllers/orch-up.test.ts', 'test/replicas/installation.test.ts'),
  of('orchctl', 'test/orchctl'),
  of(
    'outbound',
    'test/admission/webhook-failures.test.ts',
    'test/conformance/node-streams.test.ts',
    'test/conformance/aggregation',
  ),
  of('pipeline', 'test/api', 'test/adversarial/client-errors.test.ts', 'test/reliability/cluster'),
  of(
    'pki',
    'test/controllers/certificates.test.ts',
    'test/adversarial/certificate-requests.test.ts',
    'test/chart/programs.test.ts',
  ),
  of(
    'program',
    'test/api/serving-flags.test.ts',
    'test/monitoring',
    'test/reliability/unwritable-folders.test.ts',
  ),
  of('quota', 'test/api/quotas.test.ts', 'test/controllers/quota.test.ts', 'test/replicas/quotas.test.ts'),
  of('registry', 'test/api', 'test/lifecycle'),
  of('request', 'test/api', 'test/adversarial'),
  of('schema', 'test/lifecycle', 'test/conformance/explain.test.ts', 'test/custom-resources'),
  of('testing', 'test/packages', 'test/client/apply-yaml.test.ts', 'test/client/webhook-server.test.ts'),
  of('server', 'test/api', 'test/admission', 'test/replicas'),
  of('service-networking', 'test/replicas/services.test.ts'),
  {
    changed: ['packages/server/src/policy-checks'],
    tests: ['test/admission/validating-policies.test.ts', 'test/admission/unreadable-rules.test.ts'],
  },
  of('storage', 'test/reliability', 'test/replicas', 'test/backup', 'test/stores'),
  of('testkit', 'test/api/health.test.ts', 'test/client/real-server.test.ts', 'test/orchctl/get.test.ts'),
  { changed: ['charts'], tests: ['test/chart'] },
  { changed: ['deploy'], tests: ['test/deploy', 'test/monitoring'] },
  { changed: ['examples'], tests: ['test/client'] },
  { changed: ['docs/tours', 'README.md'], tests: ['test/conformance/tours.test.ts'] },
  {
    changed: ['docs'],
    tests: [
      'test/orchctl/examples.test.ts',
      'test/monitoring/rules.test.ts',
      'test/deploy/upgrade-page.test.ts',
    ],
  },
  {
    changed: ['Dockerfile', 'docker-compose.yml', 'scripts/build.ts', 'scripts/bundle', 'bin'],
    tests: ['test/deploy'],
  },
  { changed: ['scripts/packages', 'scripts/packages.ts'], tests: ['test/packages'] },
  { changed: ['scripts/standalone', 'scripts/standalone.ts'], tests: ['test/orchctl/executable.test.ts'] },
];
