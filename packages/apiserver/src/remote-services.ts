import { readFileSync } from 'node:fs';
import {
  ClientConfigError,
  certificateNamesCounter,
  connectionsTo,
  jsonPost,
  Remote,
  type RemoteService,
  readClientConfig,
} from '@orch/auth';
import { type Env, messageOf } from '@orch/machinery';
import type { PostJson, Tracing } from '@orch/pipeline';
import { readFlagFile, StartError } from '@orch/program';
import { type Delegated, measuredPost, type Post } from './measured-post.ts';
import { tracedCalls } from './traced-calls.ts';

/** Connections for batches, which are sent one at a time. */
const BATCH_SOCKETS = 2;

/** Dependencies of requests to remote services. */
export type RemoteParts = Pick<Env, 'clock' | 'random' | 'metrics'> & {
  readonly tracing?: Tracing | undefined;
  /** What the service decides, for metrics of its requests; absent for others. */
  readonly decides?: Delegated;
};

/**
 * The service of a client configuration file that a flag names. Throws a `StartError` with the flag when the file is
 * invalid.
 */
export function remoteService(flag: string, path: string, parts: RemoteParts): Remote {
  const { clock, random } = parts;
  return fromConfig(flag, path, (service) => new Remote({ post: tracedPost(service, parts), clock, random }));
}

/**
 * The service of a client configuration file that a configuration names; `firstPauseMs` is the pause before the first retry.
 * Throws `ClientConfigError` when the file is invalid or permits connections without TLS.
 */
export function tlsService(path: string, firstPauseMs: number, parts: RemoteParts): Remote {
  const { clock, random } = parts;
  return readService(readText(path), path, (service) => {
    if (service.url.protocol !== 'https:') throw new ClientConfigError('cluster.server: TLS is required');
    return new Remote({ post: tracedPost(service, parts), clock, random, firstPauseMs });
  });
}

/**
 * The service of a client configuration file that a configuration names. Throws `ClientConfigError` when the file is invalid.
 */
export function fileService(
  path: string,
  options: { readonly timeoutMs: number },
  parts: RemoteParts,
): Remote {
  const { clock, random } = parts;
  return readService(
    readText(path),
    path,
    (service) => new Remote({ post: tracedPost(service, parts), clock, random, ...options }),
  );
}

function tracedPost(service: RemoteService, { tracing, metrics, clock, decides }: RemoteParts): Post {
  const sawCertificate = certificateNamesCounter(metrics);
  const measured = (post: Post): Post =>
    decides === undefined ? post : measuredPost(post, decides, { metrics, clock });
  if (tracing === undefined) return measured(jsonPost(service, { sawCertificate }));
  const { headers, spanned } = tracedCalls(tracing);
  const post = measured(jsonPost(service, { headers, sawCertificate }));
  return (body, signal) => spanned(service.url.host, () => post(body, signal));
}

/** As `remoteService`, when only the status code of the response is used. */
export function remotePost(flag: string, path: string): PostJson {
  const connections = fromConfig(flag, path, (service) =>
    connectionsTo(service, { maxSockets: BATCH_SOCKETS }),
  );
  return async (body, signal) => {
    const { status } = await connections.post({ payload: body }, signal);
    return { status };
  };
}

function fromConfig<T>(flag: string, path: string, make: (service: RemoteService) => T): T {
  const text = readFlagFile(flag, path);
  try {
    return readService(text, path, make);
  } catch (error) {
    if (!(error instanceof ClientConfigError)) throw error;
    throw new StartError(`--${flag} ${path}: ${error.message}`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ClientConfigError(messageOf(error));
  }
}

/** Throws `ClientConfigError` when the file is invalid, or one that it names. */
function readService<T>(text: string, path: string, make: (service: RemoteService) => T): T {
  try {
    return make(readClientConfig(text, path, (name) => readFileSync(name, 'utf8')));
  } catch (error) {
    const isBadFile = error instanceof Error && 'code' in error;
    throw isBadFile ? new ClientConfigError(messageOf(error)) : error;
  }
}
