import type { Dashboard } from './dashboard.ts';

/** Controller managers. */
export const controllers: Dashboard = {
  uid: 'orch-controllers',
  title: 'orch / Controllers',
  description: 'Is there a leader, and do the controllers keep up?',
  selection: { label: 'controller', series: 'controller_reconcile_total' },
  rows: [
    {
      title: 'Leader',
      panels: [
        {
          title: 'Leader',
          description: '1 for the process that holds the Lease; exactly one of them should.',
          unit: 'short',
          queries: [{ expr: 'leader_election_master_status', legend: '{{instance}}' }],
        },
        {
          title: 'Requests to the API by code',
          description: '<error> had no response.',
          unit: 'reqps',
          queries: [{ expr: 'sum by (code) (rate(rest_client_requests_total[5m]))', legend: '{{code}}' }],
        },
        {
          title: 'Latency of requests, 99th percentile',
          description: 'As the managers see the API.',
          unit: 's',
          queries: [
            {
              expr: 'histogram_quantile(0.99, sum by (verb, le) (rate(rest_client_request_duration_seconds_bucket[5m])))',
              legend: '{{verb}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Work',
      panels: [
        {
          title: 'Reconciliations',
          description: 'By controller and result.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (controller, result) (rate(controller_reconcile_total{controller=~"$controller"}[5m]))',
              legend: '{{controller}} {{result}}',
            },
          ],
        },
        {
          title: 'Queued keys',
          description: 'A queue that only grows has too few workers, or work that fails.',
          unit: 'short',
          queries: [{ expr: 'sum by (name) (workqueue_depth)', legend: '{{name}}' }],
        },
        {
          title: 'Waiting time of keys, 99th percentile',
          description: 'From the change of an object to the work on it.',
          unit: 's',
          limit: 60,
          queries: [
            { expr: 'max by (name) (orch:workqueue_queue_duration_seconds:p99)', legend: '{{name}}' },
          ],
        },
        {
          title: 'Duration of work, mean',
          description: 'By queue.',
          unit: 's',
          queries: [
            {
              expr: 'sum by (name) (rate(workqueue_work_duration_seconds_sum[5m])) / sum by (name) (rate(workqueue_work_duration_seconds_count[5m]))',
              legend: '{{name}}',
            },
          ],
        },
        {
          title: 'Retries',
          description: 'Work that failed and is repeated later.',
          unit: 'ops',
          queries: [{ expr: 'sum by (name) (rate(workqueue_retries_total[5m]))', legend: '{{name}}' }],
        },
        {
          title: 'Failures of informers',
          description: 'Lists and watches that failed; they are repeated.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (resource, fault) (rate(informer_failures_total[5m]))',
              legend: '{{resource}} {{fault}}',
            },
          ],
        },
      ],
    },
  ],
};
