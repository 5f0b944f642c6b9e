import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseYaml } from '@orch/machinery';
import { run } from '@orch/testkit';
import { buildHelm } from '../conformance/helm-session.ts';
import { root } from './series.ts';

const helm = await buildHelm();
const required = ['--set=servingSecret=serving', '--set=controllers.clientConfigSecret=client'];

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

async function rendered(...options: readonly string[]): Promise<readonly Rendered[]> {
  const chart = join(root, 'charts/orch');
  const { code, stdout, stderr } = await run(helm.kind === 'built' ? helm.program.path : '', [
    'template',
    'main',
    chart,
    ...required,
    ...options,
  ]);
  assert.equal(code, 0, stderr);
  return stdout
    .split(/^---$/m)
    .filter((text) => /^\w/m.test(text))
    .map((text) => parseYaml(Buffer.from(text)) as Rendered);
}

const named = (objects: readonly Rendered[], kind: string): readonly Rendered[] =>
  objects.filter((object) => object.kind === kind);

describe('monitoring in the Helm chart', { skip: helm.kind === 'missing' ? helm.reason : false }, () => {
  it('nothing of it is installed by default', async () => {
    const kinds = new Set((await rendered()).map(({ kind }) => kind));
    for (const kind of ['ServiceMonitor', 'PrometheusRule', 'ConfigMap']) assert.ok(!kinds.has(kind), kind);
  });

  it('metrics.operator.rules installs the rules of deploy/prometheus', async () => {
    const labels = '--set=metrics.operator.labels.release=prometheus';
    const rules = named(await rendered('--set=metrics.operator.rules=true', labels), 'PrometheusRule');
    const folder = join(root, 'deploy/prometheus/rules');
    const files = readdirSync(folder).map((name) => parseYaml(readFileSync(join(folder, name))));
    assert.deepEqual(
      rules.map(({ spec }) => spec),
      files,
    );
    for (const { metadata } of rules) assert.equal(metadata.labels['release'], 'prometheus');
  });

  it('metrics.operator.serviceMonitor scrapes both programs under the job names of the rules', async () => {
    const objects = await rendered('--set=metrics.operator.serviceMonitor=true');
    const [monitor] = named(objects, 'ServiceMonitor');
    assert.ok(monitor);
    const { jobLabel, selector } = monitor.spec as {
      readonly jobLabel: string;
      readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    };
    const services = named(objects, 'Service').filter(({ metadata }) => jobLabel in metadata.labels);
    assert.deepEqual(services.map(({ metadata }) => metadata.labels[jobLabel]).sort(), [
      'orch-apiserver',
      'orch-controller-manager',
    ]);
    for (const { metadata } of services)
      for (const [key, value] of Object.entries(selector.matchLabels))
        assert.equal(metadata.labels[key], value);
  });

  it('metrics.dashboards installs each dashboard unchanged', async () => {
    const maps = named(await rendered('--set=metrics.dashboards=true'), 'ConfigMap');
    const folder = join(root, 'deploy/grafana');
    const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    assert.deepEqual(maps.flatMap(({ data = {} }) => Object.entries(data)).sort(), files.sort());
  });
});
