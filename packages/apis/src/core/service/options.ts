import { f, struct } from '@orch/schema';

export const ServiceProxyOptions = struct(
  'core.v1.ServiceProxyOptions',
  'Options of a request that is passed on to a service.',
  {
    path: f.string(1, { doc: 'Path that the service is asked for.' }),
  },
  { typeMeta: true },
);
