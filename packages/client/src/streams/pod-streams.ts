import type { Duplex } from 'node:stream';
import type { Env, Names } from '@orch/machinery';
import { objectPath } from '../rest/paths.ts';
import type { ConnectionSettings } from '../transport/connection-settings.ts';
import { coreV1Pod } from '../types/resources.ts';
import type { CommandOutcome, CommandStreams } from './command-streams.ts';
import { openWebSocket } from './open-web-socket.ts';
import { forwardPort } from './port-connection.ts';
import { runRemoteCommand } from './remote-command.ts';
import type { WebSocketConnection } from './web-socket.ts';

/** A pod. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Streams to containers, over WebSockets. Everything rejects with `ApiError` if the server refuses, with `TransportError`
 * for a lost connection, and with the reason of the signal.
 */
export interface PodStreams {
  /** Runs a command in a container. The container is chosen by the server when absent. */
  exec(
    pod: PodName,
    request: CommandStreams & {
      readonly command: readonly string[];
      readonly container?: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<CommandOutcome>;
  /** Exchanges streams with the main process of a container. */
  attach(
    pod: PodName,
    request: CommandStreams & { readonly container?: string | undefined },
    signal: AbortSignal,
  ): Promise<CommandOutcome>;
  /** Connects `local` to a port of a pod until one of them ends. Rejects when the pod refuses the connection. */
  forward(
    pod: PodName,
    request: { readonly port: number; readonly local: Duplex },
    signal: AbortSignal,
  ): Promise<void>;
}

/** The server and the identity of streams. */
export interface PodStreamsOptions {
  readonly settings: ConnectionSettings;
  readonly names: Names;
  readonly env: Pick<Env, 'clock' | 'random'>;
  readonly userAgent: string;
}

/** Creates the streams to containers of one identity. It opens no connection yet. */
export function podStreams(options: PodStreamsOptions): PodStreams {
  const { names, settings, env, userAgent } = options;
  const { channelV4, channelV5 } = names.webSocketProtocols;
  const open = (
    pod: PodName,
    [subresource, query, protocols]: readonly [string, URLSearchParams, readonly string[]],
    signal: AbortSignal,
  ): Promise<WebSocketConnection> => {
    const path = objectPath(coreV1Pod(names), pod.namespace, pod.name, subresource);
    return openWebSocket({ settings, env }, { target: `${path}?${query}`, protocols, userAgent }, signal);
  };
  const command = async (
    pod: PodName,
    [subresource, query, streams]: readonly [string, URLSearchParams, CommandStreams],
    signal: AbortSignal,
  ): Promise<CommandOutcome> => {
    return reasonFirst(signal, async () => {
      const socket = await open(pod, [subresource, query, [channelV5, channelV4]], signal);
      return runRemoteCommand(socket, streams, socket.protocol === channelV5);
    });
  };
  return {
    exec: (pod, request, signal) => {
      const query = streamQuery(request);
      for (const word of request.command) query.append('command', word);
      return command(pod, ['exec', query, request], signal);
    },
    attach: (pod, request, signal) => command(pod, ['attach', streamQuery(request), request], signal),
    async forward(pod, { port, local }, signal) {
      const query = new URLSearchParams({ ports: String(port) });
      await reasonFirst(signal, async () => {
        const socket = await open(pod, ['portforward', query, [channelV4]], signal);
        await forwardPort(socket, local, env.clock);
      });
    },
  };
}

/** Work whose failures are the reason of the signal once that has aborted, since it then ends all connections. */
async function reasonFirst<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

function streamQuery({
  container,
  input,
  hasTerminal,
}: CommandStreams & { readonly container?: string | undefined }): URLSearchParams {
  const query = new URLSearchParams();
  if (container !== undefined) query.set('container', container);
  if (input !== undefined) query.set('stdin', 'true');
  query.set('stdout', 'true');
  if (hasTerminal) query.set('tty', 'true');
  else query.set('stderr', 'true');
  return query;
}
