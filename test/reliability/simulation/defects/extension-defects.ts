import type { EndpointConnections, OpenConnections } from '@orch/aggregation';
import { OutboundFailure } from '@orch/outbound';
import type { PlantedDefect } from './planted-defect.ts';
import { committing } from './storage-defects.ts';

/** A request whose answer was lost is sent again. */
const repeating =
  (open: OpenConnections): OpenConnections =>
  (endpoint) => {
    const { request, retire } = open(endpoint);
    return {
      request: (...call) =>
        request(...call).catch((error: unknown) => {
          if (error instanceof OutboundFailure) return request(...call);
          throw error;
        }),
      retire,
    };
  };

/** All endpoints have the connections of the first one. */
const keepingFirst = (open: OpenConnections): OpenConnections => {
  let first: EndpointConnections | undefined;
  return (endpoint) => {
    first ??= open(endpoint);
    return first;
  };
};

export const extensionDefects: readonly PlantedDefect[] = [
  {
    what: 'aggregation: a request whose answer was lost is sent again',
    make: () => ({ extensions: repeating }),
  },
  {
    what: 'aggregation: requests go to the first extension server for ever',
    make: () => ({ extensions: keepingFirst }),
  },
  {
    what: 'aggregation: an API service whose server fails stays available',
    make: () => ({
      store: committing(async (inner, write, signal) =>
        write.op === 'update' && write.key.includes('/apiservices.') && isUnavailable(write.value)
          ? { ok: true, rev: await inner.currentRevision(signal) }
          : inner.commit(write, signal),
      ),
    }),
  },
];

const isUnavailable = (value: Buffer): boolean => value.includes('FailedDiscoveryCheck');
