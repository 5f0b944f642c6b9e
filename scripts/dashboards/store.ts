import type { Dashboard } from './dashboard.ts';

/** The store as the servers see it. */
export const store: Dashboard = {
  uid: 'orch-store',
  title: 'orch / Store',
  description: 'etcd, or the embedded store, as the servers see it: latency, failures and size.',
  selection: { label: 'instance', series: 'etcd_db_total_size_in_bytes' },
  rows: [
    {
      title: 'Requests to the store',
      panels: [
        {
          title: 'Latency, 99th percentile',
          description: 'Every write waits for it.',
          unit: 's',
          limit: 0.5,
          queries: [
            {
              expr: 'max by (operation) (orch:etcd_request_duration_seconds:p99{instance=~"$instance"})',
              legend: '{{operation}}',
            },
          ],
        },
        {
          title: 'Requests',
          description: 'Reads are served by the watch cache; there are few of them here.',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (operation) (rate(etcd_request_duration_seconds_count{instance=~"$instance"}[5m]))',
              legend: '{{operation}}',
            },
          ],
        },
        {
          title: 'Failures',
          description: 'Requests that the store did not answer in time, or refused because it is full.',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (instance, operation) (rate(etcd_request_errors_total{instance=~"$instance"}[5m]))',
              legend: '{{instance}} {{operation}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Size',
      panels: [
        {
          title: 'Size of the store',
          description: 'etcd returns space to the disk only after a defragmentation.',
          unit: 'bytes',
          queries: [
            {
              expr: 'max by (endpoint) (etcd_db_total_size_in_bytes{instance=~"$instance"})',
              legend: '{{endpoint}}',
            },
          ],
        },
        {
          title: 'Store is full',
          description: '1 while only deletions are accepted.',
          unit: 'short',
          queries: [
            {
              expr: 'max by (endpoint) (apiserver_storage_full{instance=~"$instance"})',
              legend: '{{endpoint}}',
            },
          ],
        },
        {
          title: 'Writes by resource',
          description: 'The ten resources that are written most.',
          unit: 'reqps',
          queries: [
            {
              expr: 'topk(10, sum by (type) (rate(etcd_request_duration_seconds_count{instance=~"$instance",operation=~"create|update|delete"}[5m])))',
              legend: '{{type}}',
            },
          ],
        },
      ],
    },
  ],
};
