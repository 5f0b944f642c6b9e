import type { Dashboard } from './dashboard.ts';

/** The watch cache of each server: watches, memory and consistency. */
export const watchCache: Dashboard = {
  uid: 'orch-watch-cache',
  title: 'orch / Watch cache',
  description: 'Do watchers receive what the store has, and what does the cache cost?',
  selection: { label: 'instance', series: 'watch_cache_bytes' },
  rows: [
    {
      title: 'Watches',
      panels: [
        {
          title: 'Open watches',
          description: 'By resource; they spread over the servers again after a restart.',
          unit: 'short',
          queries: [
            {
              expr: 'topk(10, sum by (instance, resource) (watch_cache_watchers{instance=~"$instance"}))',
              legend: '{{instance}} {{resource}}',
            },
          ],
        },
        {
          title: 'Events sent',
          description: 'Events times watchers.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (instance) (rate(apiserver_watch_cache_events_dispatched_total{instance=~"$instance"}[5m]))',
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'Watches ended by the server',
          description: 'Slow ones, and those whose history is no longer kept. Their clients list again.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (resource) (rate(apiserver_terminated_watchers_total{instance=~"$instance"}[5m]))',
              legend: '{{resource}} slow',
            },
            {
              expr: 'sum by (resource) (rate(watch_cache_expired_watchers_total{instance=~"$instance"}[5m]))',
              legend: '{{resource}} expired',
            },
          ],
        },
      ],
    },
    {
      title: 'Freshness and consistency',
      panels: [
        {
          title: 'Interruptions of the watch of the store',
          description: 'The cache is behind until it is resumed; consistent reads wait.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (instance, reason) (rate(watch_cache_store_watch_interruptions_total{instance=~"$instance"}[5m]))',
              legend: '{{instance}} {{reason}}',
            },
          ],
        },
        {
          title: 'Rebuilds',
          description: 'History was lost, and everything was loaded again. All watches of the server ended.',
          unit: 'short',
          queries: [
            {
              expr: 'increase(watch_cache_rebuilds_total{instance=~"$instance"}[15m])',
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'Comparisons with the store',
          description: 'A mismatch was repaired; it should never happen.',
          unit: 'short',
          queries: [
            {
              expr: 'sum by (status) (increase(watch_cache_digest_runs_total{instance=~"$instance"}[15m]))',
              legend: '{{status}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Content',
      panels: [
        {
          title: 'Memory of the cache',
          description: 'By kind of data.',
          unit: 'bytes',
          queries: [
            {
              expr: 'sum by (instance, kind) (watch_cache_bytes{instance=~"$instance"})',
              legend: '{{instance}} {{kind}}',
            },
          ],
        },
        {
          title: 'Objects',
          description: 'The ten resources with the most objects.',
          unit: 'short',
          queries: [
            { expr: 'topk(10, max by (resource) (apiserver_storage_objects))', legend: '{{resource}}' },
          ],
        },
        {
          title: 'Unreadable objects',
          description: 'Stored objects that cannot be read now.',
          unit: 'short',
          queries: [
            {
              expr: 'max by (resource) (watch_cache_unreadable_objects{instance=~"$instance"})',
              legend: '{{resource}}',
            },
          ],
        },
      ],
    },
  ],
};
