import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { prometheusProgram, run } from '@orch/testkit';
import { root, rules, unknownSeries } from './series.ts';

const alerts = rules.flatMap(({ alert }) => alert ?? []);
const folder = join(root, 'deploy/prometheus');
/** The comparison with the store runs every five minutes, for which no test waits. */
const uncaused: ReadonlySet<string> = new Set(['OrchWatchCacheDiffers']);

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
    assert.deepEqual(unknownSeries(rules.map(({ expr }) => expr)), []);
  });

  it('each alert has a page in the runbook, and each page an alert', () => {
    const pages = readdirSync(join(root, 'docs/runbook')).filter((name) => name !== 'README.md');
    assert.deepEqual(pages.sort(), alerts.map((alert) => `${alert}.md`).sort());
    for (const { alert, annotations } of rules)
      if (alert !== undefined) assert.equal(annotations?.runbook, `docs/runbook/${alert}.md`);
  });

  it('the fault of each alert is caused by a test', () => {
    const tests = readdirSync(import.meta.dirname).filter((name) => name.startsWith('faults-'));
    const text = tests.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n');
    for (const alert of alerts.filter((name) => !uncaused.has(name)))
      assert.ok(text.includes(`, '${alert}'`), `no test follows the page of ${alert}`);
  });

  it('each page of the runbook explains meaning, diagnosis, remedy and how to cause the fault', () => {
    for (const alert of alerts) {
      const page = readFileSync(join(root, 'docs/runbook', `${alert}.md`), 'utf8');
      const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
      assert.deepEqual(headings, [alert, 'Meaning', 'Diagnosis', 'Remedy', 'How to cause it']);
    }
  });
});
