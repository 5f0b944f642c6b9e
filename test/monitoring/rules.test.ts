import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseYaml } from '@orch/machinery';
import { prometheusProgram, run } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'deploy/prometheus');

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly annotations?: { readonly runbook?: string };
}

const rules = ['recording', 'alerts'].flatMap((name) => {
  const file = parseYaml(readFileSync(join(folder, 'rules', `${name}.yaml`))) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  return file.groups.flatMap((group) => group.rules);
});
const alerts = rules.flatMap(({ alert }) => alert ?? []);

/** Names of series in an expression: not functions, keywords, labels or durations. */
function seriesIn(expr: string): readonly string[] {
  const withoutLabels = expr.replace(/\{[^}]*\}/g, '').replace(/\b(by|without|on)\s*\([^)]*\)/g, '');
  return [...withoutLabels.matchAll(/[a-z][a-z0-9]*(?:[_:][a-z0-9:]+)+(?!\w*\s*\()/g)].map(([name]) => name);
}

const suffix = /_(bucket|count|sum)$/;

describe('rules for Prometheus', () => {
  const promtool = prometheusProgram('promtool');
  const skip = promtool === undefined ? 'promtool is not found' : false;
  const check = (...args: string[]) => run(promtool ?? '', args, { cwd: folder });

  it('promtool accepts the rules and the scrape configuration', { skip }, async () => {
    const found = await check('check', 'config', 'prometheus.yml');
    assert.equal(found.code, 0, found.stdout + found.stderr);
  });

  it('each alert fires for its fault and not for similar behaviour', { skip }, async () => {
    const files = readdirSync(join(folder, 'tests')).map((name) => `tests/${name}`);
    const found = await check('test', 'rules', ...files);
    assert.equal(found.code, 0, found.stdout + found.stderr);
    const tested = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    for (const alert of alerts)
      for (const title of [`${alert} fires`, `${alert} does not fire`])
        assert.ok(tested.includes(`- name: ${title}\n`), `no test that ${title}`);
  });

  it('rules use series that the programs have, or that other rules record', () => {
    const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
    const sources = globSync('packages/*/src/**/*.ts', { cwd: root })
      .filter((name) => !name.includes('.test.') && !name.includes('/testing/'))
      .map((name) => readFileSync(join(root, name), 'utf8'))
      .join('\n');
    // Names that are composed of a prefix, and those of the library for process and runtime metrics.
    const composed = /^(apiserver_flowcontrol_|nodejs_|process_)/;
    const unknown = rules.flatMap(({ expr }) =>
      seriesIn(expr).filter((name) => {
        if (recorded.has(name) || composed.test(name)) return false;
        return !sources.includes(`'${name}'`) && !sources.includes(`'${name.replace(suffix, '')}'`);
      }),
    );
    assert.deepEqual([...new Set(unknown)], []);
  });

  it('each alert has a page in the runbook, and each page an alert', () => {
    const pages = readdirSync(join(root, 'docs/runbook')).filter((name) => name !== 'README.md');
    assert.deepEqual(pages.sort(), alerts.map((alert) => `${alert}.md`).sort());
    for (const { alert, annotations } of rules)
      if (alert !== undefined) assert.equal(annotations?.runbook, `docs/runbook/${alert}.md`);
  });

  it('each page of the runbook explains meaning, diagnosis, remedy and how to cause the fault', () => {
    for (const alert of alerts) {
      const page = readFileSync(join(root, 'docs/runbook', `${alert}.md`), 'utf8');
      const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
      assert.deepEqual(headings, [alert, 'Meaning', 'Diagnosis', 'Remedy', 'How to cause it']);
    }
  });
});
