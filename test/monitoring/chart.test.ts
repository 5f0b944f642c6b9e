import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { parseYaml } from '@orch/machinery/yaml';
import { rendered, skip } from '../chart/chart.ts';
import { root } from './series.ts';

const labelsOf = ({ metadata }: ApiObject): Readonly<Record<string, string>> => metadata.labels ?? {};

const named = (objects: readonly ApiObject[], kind: string): readonly ApiObject[] =>
  objects.filter((object) => object.kind === kind);

describe('monitoring in the Helm chart', { skip }, () => {
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
    for (const rule of rules) assert.equal(labelsOf(rule)['release'], 'prometheus');
  });

  it('metrics.operator.serviceMonitor scrapes both programs under the job names of the rules', async () => {
    const objects = await rendered('--set=metrics.operator.serviceMonitor=true');
    const [monitor] = named(objects, 'ServiceMonitor');
    assert.ok(monitor);
    const { jobLabel, selector } = monitor.spec as {
      readonly jobLabel: string;
      readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    };
    const services = named(objects, 'Service').filter((service) => jobLabel in labelsOf(service));
    assert.deepEqual(services.map((service) => labelsOf(service)[jobLabel]).sort(), [
      'orch-apiserver',
      'orch-controller-manager',
    ]);
    for (const service of services)
      for (const [key, value] of Object.entries(selector.matchLabels))
        assert.equal(labelsOf(service)[key], value);
  });

  it('metrics.dashboards installs each dashboard unchanged', async () => {
    const maps = named(await rendered('--set=metrics.dashboards=true'), 'ConfigMap');
    const folder = join(root, 'deploy/grafana');
    const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    assert.deepEqual(maps.flatMap(({ data }) => Object.entries(data as object)).sort(), files.sort());
  });
});
