import { f, struct } from '@orch/schema';

export const ServiceProxyOptions = struct(
  'core.v1.ServiceProxyOptions',
  'Options of a request that is forwarded to a service.',
  {
    path: f.string(1, { doc: 'Path of the request to the service.' }),
  },
  { typeMeta: true },
);
