/**
 * Writes the dashboards of `scripts/dashboards` for Grafana, and copies them and the rules for Prometheus to the Helm chart, which
 * cannot read files outside of its folder. With `--check` it writes nothing and fails when files are out of date.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardFiles } from './dashboards/dashboard-files.ts';
import { update } from './generated-files.ts';

const rulesFolder = join(import.meta.dirname, '..', 'deploy/prometheus/rules');
const rules = new Map(
  readdirSync(rulesFolder).map((name) => [name, readFileSync(join(rulesFolder, name), 'utf8')]),
);

update(
  [
    { folder: 'deploy/grafana', files: dashboardFiles() },
    { folder: 'charts/orch/files/dashboards', files: dashboardFiles() },
    { folder: 'charts/orch/files/rules', files: rules },
  ],
  'scripts/dashboards and deploy/prometheus',
);
