import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, specOf } from '@orch/machinery/json';
import { memberAt, nameOf, rendered, skip, valueSets } from './chart.ts';

type Labels = Readonly<Record<string, unknown>>;

/** An object that makes pods, with their labels, annotations and spec. */
interface Workload {
  readonly object: ApiObject;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly pods: Labels;
}

/** The pods of an object; undefined when it makes none. */
function workloadOf(object: ApiObject): Workload | undefined {
  const spec = specOf(object);
  const template =
    object.kind === 'Pod'
      ? object
      : (memberAt(spec, ['jobTemplate', 'spec', 'template']) ?? spec['template']);
  const pods = asObject(memberAt(template, ['spec']));
  if (pods['containers'] === undefined) return undefined;
  const labels = asObject(memberAt(template, ['metadata', 'labels']));
  const annotations = asObject(memberAt(template, ['metadata', 'annotations']));
  return { object, labels, annotations, pods };
}

const workloadsIn = (objects: readonly ApiObject[]): readonly Workload[] =>
  objects.flatMap((object) => workloadOf(object) ?? []);

function workload(objects: readonly ApiObject[], name: string): Workload {
  return workloadsIn(objects).find(({ object }) => nameOf(object) === name) ?? assert.fail(name);
}

const programs = ['main-orch-apiserver', 'main-orch-controllers'] as const;

const containerOf = ({ pods }: Workload): Labels => asObjects(pods['containers'])[0] ?? assert.fail();

const matches = (selector: Labels, labels: Labels): boolean =>
  Object.keys(selector).length > 0 && Object.entries(selector).every(([key, value]) => labels[key] === value);

/** Selectors of pods in an object, with the path at which each stands. */
function selectorsIn(value: unknown, path = ''): readonly (readonly [path: string, labels: Labels])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'matchLabels' ? [[path, asObject(child)] as const] : selectorsIn(child, `${path}.${key}`),
  );
}

const setOf = (...values: readonly string[]): readonly string[] => values.map((value) => `--set=${value}`);

describe('workloads of the chart', { skip, timeout: 120_000 }, () => {
  it('workloads, disruption budgets, autoscalers and Services belong to the pods of one component, with every set of values', async () => {
    for (const [set, file] of valueSets) {
      const objects = await rendered(`--values=${file}`);
      const workloads = workloadsIn(objects);
      for (const object of objects) {
        const own = workloads.find((one) => one.object === object);
        const selectors =
          object.kind === 'Service'
            ? [['.spec', asObject(specOf(object)['selector'])] as const]
            : selectorsIn(memberAt(object, ['spec', 'selector']));
        for (const [path, selector] of selectors) {
          if (object.kind === 'ServiceMonitor') continue;
          const chosen = workloads.filter(({ labels }) => matches(selector, labels));
          assert.equal(chosen.length, 1, `${set}: ${object.kind} ${nameOf(object)}${path}`);
          if (own !== undefined) assert.equal(chosen[0], own, `${set}: ${nameOf(object)}`);
        }
        if (object.kind === 'HorizontalPodAutoscaler') {
          const { kind, name } = asObject(specOf(object)['scaleTargetRef']);
          assert.ok(workloads.some((one) => one.object.kind === kind && nameOf(one.object) === name));
        }
      }
    }
  });

  it('volumes of containers exist, and ports of probes and Services have a container', async () => {
    for (const [set, file] of valueSets)
      for (const { object, pods } of workloadsIn(await rendered(`--values=${file}`))) {
        const claims = asObjects(specOf(object)['volumeClaimTemplates']).map((claim) =>
          memberAt(claim, ['metadata', 'name']),
        );
        const volumes = [...asObjects(pods['volumes']).map(({ name }) => name), ...claims];
        for (const container of asObjects(pods['containers'])) {
          const what = `${set}: ${nameOf(object)}`;
          for (const { name } of asObjects(container['volumeMounts']))
            assert.ok(volumes.includes(name), `${what}: ${name}`);
          const ports = asObjects(container['ports']).map(({ name }) => name);
          for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
            const port = memberAt(container, [probe, 'httpGet', 'port']);
            if (port !== undefined) assert.ok(ports.includes(port), `${what}: ${probe}`);
          }
        }
      }
  });

  it('containers cannot write to the root file system nor gain privileges, and do not run as root', async () => {
    for (const set of ['default', 'external-etcd', 'separate-secrets', 'naming'] as const)
      for (const { object, pods } of workloadsIn(await rendered(`--values=${valueSets.get(set)}`))) {
        assert.equal(memberAt(pods, ['securityContext', 'runAsNonRoot']), true, nameOf(object));
        for (const container of asObjects(pods['containers'])) {
          const context = asObject(container['securityContext']);
          assert.deepEqual(
            [context['readOnlyRootFilesystem'], context['allowPrivilegeEscalation'], context['capabilities']],
            [true, false, { drop: ['ALL'] }],
            `${set}: ${nameOf(object)}`,
          );
        }
      }
  });

  it('the start-up probe of API servers allows ten minutes for a large load, and their grace period a whole shutdown', async () => {
    const server = workload(
      await rendered(...setOf('apiServer.shutdownDelaySeconds=40', 'apiServer.requestTimeoutSeconds=70')),
      programs[0],
    );
    const { periodSeconds, failureThreshold } = asObject(containerOf(server)['startupProbe']);
    assert.ok(Number(periodSeconds) * Number(failureThreshold) >= 600);
    assert.equal(server.pods['terminationGracePeriodSeconds'], 125);
  });

  it('with autoscaling the Deployment has no number of replicas, which an upgrade would set again', async () => {
    const objects = await rendered(...setOf('apiServer.autoscaling.enabled=true'));
    assert.equal(specOf(workload(objects, programs[0]).object)['replicas'], undefined);
    assert.equal(specOf(workload(objects, programs[1]).object)['replicas'], 2);
    assert.ok(objects.some(({ kind }) => kind === 'HorizontalPodAutoscaler'));
    const fixed = await rendered(...setOf('apiServer.replicas=4'));
    assert.equal(specOf(workload(fixed, programs[0]).object)['replicas'], 4);
    assert.ok(!fixed.some(({ kind }) => kind === 'HorizontalPodAutoscaler'));
  });

  it('anti-affinity of both programs and of etcd is preferred, required or absent, and other affinity replaces it', async () => {
    const path = ['affinity', 'podAntiAffinity'];
    const kindsOf = async (choice: string): Promise<readonly (readonly string[])[]> => {
      const objects = await rendered(
        ...setOf(
          ...['apiServer', 'controllers', 'etcd.bundled'].map((one) => `${one}.podAntiAffinity=${choice}`),
        ),
      );
      return [...programs, 'main-orch-etcd'].map((name) =>
        Object.keys(asObject(memberAt(workload(objects, name).pods, path))),
      );
    };
    const three = (kind: string) => Array.from({ length: 3 }, () => [kind]);
    assert.deepEqual(await kindsOf('soft'), three('preferredDuringSchedulingIgnoredDuringExecution'));
    assert.deepEqual(await kindsOf('hard'), three('requiredDuringSchedulingIgnoredDuringExecution'));
    assert.deepEqual(await kindsOf('none'), [[], [], []]);
    const own = workload(await rendered(...setOf('apiServer.affinity.nodeAffinity.a=b')), programs[0]);
    assert.deepEqual(own.pods['affinity'], { nodeAffinity: { a: 'b' } });
  });

  it('a constraint of spread without a selector gets that of the program, and another one keeps its own', async () => {
    for (const [set, expected] of [
      ['default', undefined],
      ['everything', { 'example.com/spread': 'rack' }],
    ] as const) {
      const server = workload(await rendered(`--values=${valueSets.get(set)}`), programs[0]);
      const [constraint] = asObjects(server.pods['topologySpreadConstraints']);
      const selector = asObject(memberAt(constraint, ['labelSelector', 'matchLabels']));
      if (expected === undefined) assert.ok(matches(selector, server.labels));
      else assert.deepEqual(selector, expected);
    }
  });

  it('a changed file restarts the pods of its program and no others, and a step of a rotation those of both', async () => {
    const annotationsWith = async (...values: readonly string[]): Promise<readonly Labels[]> => {
      const objects = await rendered(...setOf(...values));
      return programs.map((name) => workload(objects, name).annotations);
    };
    const file = 'apiServer.files.audit\\.yaml';
    const [before, changed, rotated] = await Promise.all([
      annotationsWith(`${file}=one`),
      annotationsWith(`${file}=two`),
      annotationsWith(`${file}=one`, 'certificates.rotation.serving=rotate'),
    ]);
    const isSame = (other: readonly Labels[]) =>
      programs.map((_, at) => isDeepStrictEqual(before[at], other[at]));
    assert.deepEqual(
      [isSame(changed), isSame(rotated)],
      [
        [false, true],
        [false, false],
      ],
    );
  });

  it('switches leave out what they name, and a service account of another release is used', async () => {
    const kinds = async (...values: readonly string[]) =>
      (await rendered(...setOf(...values))).map((object) => `${object.kind} ${nameOf(object)}`);
    const all = await kinds();
    for (const [value, absent] of [
      ['apiServer.podDisruptionBudget.enabled=false', ['PodDisruptionBudget main-orch-apiserver']],
      ['apiServer.serviceAccount.create=false', ['ServiceAccount main-orch-apiserver']],
      ['tests.enabled=false', ['Pod main-orch-test']],
      [
        'certificates.renewal.enabled=false',
        [
          'ServiceAccount main-orch-renewal',
          'Role main-orch-renewal',
          'RoleBinding main-orch-renewal',
          'CronJob main-orch-renewal',
        ],
      ],
      [
        'controllers.enabled=false',
        [
          'PodDisruptionBudget main-orch-controllers',
          'ServiceAccount main-orch-controllers',
          'Service main-orch-controllers-ops',
          'Deployment main-orch-controllers',
        ],
      ],
    ] as const) {
      const left = await kinds(value);
      assert.deepEqual(all.filter((one) => !left.includes(one)).sort(), [...absent].sort(), value);
    }
    const other = await rendered(
      ...setOf('apiServer.serviceAccount.create=false', 'apiServer.serviceAccount.name=given'),
    );
    assert.equal(workload(other, programs[0]).pods['serviceAccountName'], 'given');
  });

  it('the image is that of the release unless a tag, or before it a digest, is given, in every container of orch', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    for (const [values, expected] of [
      [[], 'orch:0.1.0'],
      [['image.tag=v2'], 'orch:v2'],
      [['image.tag=v2', `image.digest=${digest}`], `orch@${digest}`],
    ] as const)
      for (const { object, pods } of workloadsIn(await rendered(...setOf(...values))))
        if (object.kind !== 'StatefulSet')
          for (const { image } of asObjects(pods['containers']))
            assert.equal(image, expected, nameOf(object));
  });
});
