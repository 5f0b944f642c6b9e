import type { Dashboard } from './dashboard.ts';

/** One process: a replica of the server, or a manager. */
export const processDashboard: Dashboard = {
  uid: 'orch-process',
  title: 'orch / One process',
  description: 'CPU, memory and event loop of a server or a manager, with the requests that it serves.',
  selection: { label: 'instance', series: 'process_start_time_seconds{job=~"orch-.*"}' },
  rows: [
    {
      title: 'Process',
      panels: [
        {
          title: 'CPU',
          description:
            'Requests use about one CPU at most; collections of garbage and compression use others.',
          unit: 'short',
          queries: [
            { expr: 'rate(process_cpu_seconds_total{instance=~"$instance"}[5m])', legend: '{{instance}}' },
          ],
        },
        {
          title: 'Memory',
          description: 'Resident memory, and the used part of the heap.',
          unit: 'bytes',
          queries: [
            { expr: 'process_resident_memory_bytes{instance=~"$instance"}', legend: '{{instance}} resident' },
            { expr: 'nodejs_heap_size_used_bytes{instance=~"$instance"}', legend: '{{instance}} heap' },
            { expr: 'nodejs_external_memory_bytes{instance=~"$instance"}', legend: '{{instance}} buffers' },
          ],
        },
        {
          title: 'Lag of the event loop (99th percentile)',
          description: 'All requests of the process wait for it.',
          unit: 's',
          limit: 0.25,
          queries: [
            { expr: 'nodejs_eventloop_lag_p99_seconds{instance=~"$instance"}', legend: '{{instance}}' },
            {
              expr: 'nodejs_thread_eventloop_lag_p99_seconds{instance=~"$instance"}',
              legend: '{{instance}} thread {{thread}}',
            },
          ],
        },
        {
          title: 'Utilization of the event loop',
          description: 'At 1 the process has no idle time.',
          unit: 'percentunit',
          limit: 0.9,
          queries: [
            { expr: 'nodejs_eventloop_utilization{instance=~"$instance"}', legend: '{{instance}}' },
            {
              expr: 'nodejs_thread_eventloop_utilization{instance=~"$instance"}',
              legend: '{{instance}} thread {{thread}}',
            },
          ],
        },
        {
          title: 'Time in garbage collection',
          description: 'More than a fifth of the time means that the heap is too small.',
          unit: 'percentunit',
          limit: 0.2,
          queries: [
            {
              expr: 'sum by (instance, kind) (rate(nodejs_gc_duration_seconds_sum{instance=~"$instance"}[5m]))',
              legend: '{{instance}} {{kind}}',
            },
          ],
        },
        {
          title: 'File descriptors',
          description: 'Part of the permitted ones that is open.',
          unit: 'percentunit',
          limit: 0.8,
          queries: [
            {
              expr: 'process_open_fds{instance=~"$instance"} / process_max_fds{instance=~"$instance"}',
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Requests of this replica',
      panels: [
        {
          title: 'Requests by code',
          description:
            'A replica that answers otherwise than its siblings has a fault of its connection to the store.',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (code) (rate(apiserver_request_total{instance=~"$instance"}[5m]))',
              legend: '{{code}}',
            },
          ],
        },
        {
          title: 'Latency, 99th percentile',
          description: 'Without time in queues and in admission webhooks.',
          unit: 's',
          limit: 1,
          queries: [
            {
              expr: 'histogram_quantile(0.99, sum by (verb, le) (rate(apiserver_request_sli_duration_seconds_bucket{instance=~"$instance"}[5m])))',
              legend: '{{verb}}',
            },
          ],
        },
        {
          title: 'Failed TLS handshakes',
          description: 'Probes without TLS, clients with expired certificates.',
          unit: 'ops',
          queries: [
            {
              expr: 'rate(apiserver_tls_handshake_errors_total{instance=~"$instance"}[5m])',
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
  ],
};
