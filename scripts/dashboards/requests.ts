import type { Dashboard } from './dashboard.ts';

/** Requests and the error budget, over all servers. */
export const requests: Dashboard = {
  uid: 'orch-requests',
  title: 'orch / Requests and objectives',
  description: 'Is the API available and fast enough, and how fast is the error budget used up?',
  rows: [
    {
      title: 'Objectives',
      panels: [
        {
          title: 'Bad requests',
          description:
            'Part of the requests that failed with 5xx or were too slow. The objective permits 1 % over 30 days.',
          unit: 'percentunit',
          limit: 0.01,
          queries: [
            { expr: 'orch:apiserver_requests_bad:ratio_rate5m', legend: '5 minutes' },
            { expr: 'orch:apiserver_requests_bad:ratio_rate1h', legend: '1 hour' },
            { expr: 'orch:apiserver_requests_bad:ratio_rate1d', legend: '1 day' },
          ],
        },
        {
          title: 'Burn rate of the error budget',
          description: 'At 1 the budget lasts 30 days; 14.4 uses it up in two days, and alerts.',
          unit: 'short',
          limit: 14.4,
          queries: [
            { expr: 'orch:apiserver_requests_bad:ratio_rate1h / 0.01', legend: '1 hour' },
            { expr: 'orch:apiserver_requests_bad:ratio_rate6h / 0.01', legend: '6 hours' },
          ],
        },
        {
          title: 'Latency, 99th percentile',
          description: 'Without time in queues of flow control and in admission webhooks.',
          unit: 's',
          limit: 1,
          queries: [
            {
              expr: 'max by (verb, scope) (orch:apiserver_request_sli_duration_seconds:p99)',
              legend: '{{verb}} {{scope}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Requests',
      panels: [
        {
          title: 'Requests by verb',
          description: 'Watches are counted when they end.',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (verb) (rate(apiserver_request_total{job="orch-apiserver"}[5m]))',
              legend: '{{verb}}',
            },
          ],
        },
        {
          title: 'Errors by code',
          description:
            '409 and 404 are part of the work of controllers; 429 is flow control; 5xx is a fault.',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (code) (rate(apiserver_request_total{job="orch-apiserver",code=~"[45].."}[5m]))',
              legend: '{{code}}',
            },
          ],
        },
        {
          title: 'Most requested resources',
          description: 'The ten resources with the most requests.',
          unit: 'reqps',
          queries: [
            {
              expr: 'topk(10, sum by (resource, verb) (rate(apiserver_request_total{job="orch-apiserver"}[5m])))',
              legend: '{{verb}} {{resource}}',
            },
          ],
        },
        {
          title: 'Requests in flight',
          description: 'The most at one time since the last scrape.',
          unit: 'short',
          queries: [
            {
              expr: 'sum by (request_kind) (apiserver_current_inflight_requests{job="orch-apiserver"})',
              legend: '{{request_kind}}',
            },
          ],
        },
        {
          title: 'Open watches and connections',
          description: 'Long-running requests, by resource.',
          unit: 'short',
          queries: [
            {
              expr: 'topk(10, sum by (resource, verb) (apiserver_longrunning_requests{job="orch-apiserver"}))',
              legend: '{{verb}} {{resource}}',
            },
          ],
        },
        {
          title: 'Time in stages of the pipeline, mean',
          description: 'Authentication and authorization are below a millisecond unless a webhook is asked.',
          unit: 's',
          queries: [
            {
              expr: 'sum by (filter) (rate(apiserver_request_filter_duration_seconds_sum{job="orch-apiserver"}[5m])) / sum by (filter) (rate(apiserver_request_filter_duration_seconds_count{job="orch-apiserver"}[5m]))',
              legend: '{{filter}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Extensions',
      panels: [
        {
          title: 'Admission webhooks, 99th percentile',
          description: 'Every write that a webhook concerns waits for it.',
          unit: 's',
          limit: 1,
          queries: [{ expr: 'orch:admission_webhook_duration_seconds:p99', legend: '{{name}} ({{type}})' }],
        },
        {
          title: 'Failures of admission webhooks',
          description:
            'Writes that were refused, or accepted without the webhook, because it could not be called.',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (name) (rate(apiserver_admission_webhook_rejection_count{job="orch-apiserver",error_type!="no_error"}[5m]))',
              legend: '{{name}} refused',
            },
            {
              expr: 'sum by (name) (rate(apiserver_admission_webhook_fail_open_count{job="orch-apiserver"}[5m]))',
              legend: '{{name}} skipped',
            },
          ],
        },
        {
          title: 'Unavailable extension API servers',
          description: '1 while requests for the group version are answered with 503.',
          unit: 'short',
          queries: [
            {
              expr: 'max by (name) (aggregator_unavailable_apiservice{job="orch-apiserver"})',
              legend: '{{name}}',
            },
          ],
        },
      ],
    },
  ],
};
