import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { Channel, type ChannelOptions } from '../etcd/rpc/channel.ts';
import { parseEndpoint } from '../etcd/rpc/endpoint.ts';

/** A channel to one etcd without TLS, for tests that send requests to it directly. */
export const testChannel = (
  endpoint: string,
  limits: Pick<ChannelOptions, 'maxMessageBytes' | 'maxWaiting'>,
): Channel =>
  new Channel({
    endpoints: [parseEndpoint(endpoint)],
    tls: undefined,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    dialTimeoutMs: 2_000,
    keepaliveMs: 10_000,
    keepaliveTimeoutMs: 3_000,
    peer: 'etcd',
    ...limits,
  });
