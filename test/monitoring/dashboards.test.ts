import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { prometheusProgram, run, temporaryFolder } from '@orch/testkit';
import { root, unknownSeries } from './series.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Model {
  readonly uid: string;
  readonly title: string;
  readonly templating: { readonly list: readonly { readonly name: string }[] };
  readonly panels: readonly Panel[];
}

const folder = join(root, 'deploy/grafana');
const models = readdirSync(folder).map((name) => {
  const model = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Model;
  return { name, model };
});
const expressionsOf = ({ panels }: Model): readonly string[] =>
  panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

describe('dashboards for Grafana', () => {
  it('there is one for requests, watch cache, store, flow control, controllers and one process', () => {
    assert.deepEqual(
      models.map(({ name }) => name).sort(),
      ['controllers', 'flow-control', 'process', 'requests', 'store', 'watch-cache'].map(
        (name) => `orch-${name}.json`,
      ),
    );
  });

  for (const { name, model } of models) {
    it(`${name} uses series that the programs have, or that rules record`, () => {
      assert.deepEqual(unknownSeries(expressionsOf(model)), []);
    });

    it(`${name} declares the variables that its expressions use`, () => {
      const declared = new Set(model.templating.list.map((variable) => variable.name));
      const used = expressionsOf(model).flatMap((expr) =>
        [...expr.matchAll(/\$(\w+)/g)].map(([, found]) => found),
      );
      assert.deepEqual(
        used.filter((found) => found === undefined || !declared.has(found)),
        [],
      );
    });

    it(`${name} has panels with a description that do not overlap`, () => {
      const ids = new Set(model.panels.map(({ id }) => id));
      assert.equal(ids.size, model.panels.length);
      const taken = new Set<string>();
      for (const { type, title, description = '', gridPos } of model.panels) {
        if (type !== 'row') assert.notEqual(description, '', title);
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
            assert.ok(x < 24 && !taken.has(`${x},${y}`), `${title} at ${x},${y}`);
            taken.add(`${x},${y}`);
          }
      }
    });
  }

  const promtool = prometheusProgram('promtool');
  it('promtool accepts every expression', {
    skip: promtool === undefined && 'promtool is not found',
  }, async () => {
    using work = temporaryFolder();
    const expressions = models.flatMap(({ model }) => expressionsOf(model));
    const rules = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replace(/\$\w+/g, 'x'),
    }));
    const file = join(work.path, 'rules.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    const { code, stdout, stderr } = await run(promtool ?? '', ['check', 'rules', file]);
    assert.equal(code, 0, stdout + stderr);
    assert.ok(expressions.length > 50);
  });
});
