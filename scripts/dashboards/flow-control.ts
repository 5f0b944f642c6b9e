import type { Dashboard } from './dashboard.ts';

/** API priority and fairness. */
export const flowControl: Dashboard = {
  uid: 'orch-flow-control',
  title: 'orch / Flow control',
  description: 'Which requests wait or are refused, and for whose load?',
  selection: { label: 'priority_level', series: 'apiserver_flowcontrol_request_concurrency_limit' },
  rows: [
    {
      title: 'Load of priority levels',
      panels: [
        {
          title: 'Occupied seats',
          description: 'Of the seats that a level has.',
          unit: 'percentunit',
          limit: 1,
          queries: [
            {
              expr: 'sum by (priority_level) (apiserver_flowcontrol_request_concurrency_in_use{priority_level=~"$priority_level"}) / sum by (priority_level) (apiserver_flowcontrol_request_concurrency_limit{priority_level=~"$priority_level"})',
              legend: '{{priority_level}}',
            },
          ],
        },
        {
          title: 'Queued requests',
          description: 'They wait for a seat, a quarter of the request timeout at most.',
          unit: 'short',
          queries: [
            {
              expr: 'sum by (priority_level) (apiserver_flowcontrol_current_inqueue_requests{priority_level=~"$priority_level"})',
              legend: '{{priority_level}}',
            },
          ],
        },
        {
          title: 'Refused requests',
          description: 'Answered with 429.',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (priority_level, reason) (rate(apiserver_flowcontrol_rejected_requests_total{priority_level=~"$priority_level"}[5m]))',
              legend: '{{priority_level}} {{reason}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Flow schemas',
      panels: [
        {
          title: 'Dispatched requests',
          description: 'By flow schema: who causes the load.',
          unit: 'reqps',
          queries: [
            {
              expr: 'topk(10, sum by (flow_schema) (rate(apiserver_flowcontrol_dispatched_requests_total{priority_level=~"$priority_level"}[5m])))',
              legend: '{{flow_schema}}',
            },
          ],
        },
        {
          title: 'Waiting time, 99th percentile',
          description: 'Time in a queue before execution.',
          unit: 's',
          queries: [
            {
              expr: 'histogram_quantile(0.99, sum by (flow_schema, le) (rate(apiserver_flowcontrol_request_wait_duration_seconds_bucket{priority_level=~"$priority_level"}[5m])))',
              legend: '{{flow_schema}}',
            },
          ],
        },
        {
          title: 'Execution time, 99th percentile',
          description: 'Slow requests occupy seats for long.',
          unit: 's',
          queries: [
            {
              expr: 'histogram_quantile(0.99, sum by (flow_schema, le) (rate(apiserver_flowcontrol_request_execution_seconds_bucket{priority_level=~"$priority_level"}[5m])))',
              legend: '{{flow_schema}}',
            },
          ],
        },
      ],
    },
  ],
};
