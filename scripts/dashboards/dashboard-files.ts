import { controllers } from './controllers.ts';
import { type Dashboard, grafanaModel } from './dashboard.ts';
import { flowControl } from './flow-control.ts';
import { processDashboard } from './process.ts';
import { requests } from './requests.ts';
import { store } from './store.ts';
import { watchCache } from './watch-cache.ts';

export const dashboards: readonly Dashboard[] = [
  requests,
  watchCache,
  store,
  flowControl,
  controllers,
  processDashboard,
];

/** The files of `deploy/grafana`, by name. */
export const dashboardFiles = (): ReadonlyMap<string, string> =>
  new Map(
    dashboards.map((dashboard) => [
      `${dashboard.uid}.json`,
      `${JSON.stringify(grafanaModel(dashboard), undefined, 2)}\n`,
    ]),
  );
