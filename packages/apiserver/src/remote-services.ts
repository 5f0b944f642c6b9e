import {
  ClientConfigError,
  connectionsTo,
  jsonPost,
  Remote,
  type RemoteService,
  readClientConfig,
} from '@orch/auth';
import { type Env, messageOf } from '@orch/machinery';
import { UsedResource } from '@orch/machinery/concurrency';
import type { PostJson, Tracing } from '@orch/pipeline';
import { type Delegated, measuredPost, type Post } from './measured-post.ts';
import { asStartError } from './reload/as-start-error.ts';
import { fileMetrics } from './reload/reload-metrics.ts';
import { type FileFlag, type IncludeFile, ReloadedFiles } from './reload/reloaded-files.ts';
import type { Reloads } from './reload/reloads.ts';
import { tracedCalls } from './traced-calls.ts';

/** Connections for batches, which are sent one at a time. */
const BATCH_SOCKETS = 2;

/** Dependencies of requests to remote services. */
export type RemoteParts = Pick<Env, 'clock' | 'random' | 'metrics'> & {
  readonly tracing?: Tracing | undefined;
  /** The kind of decision of the service, for metrics of its requests; absent for others. */
  readonly decides?: Delegated;
};

/** Dependencies of services whose client configuration files are reloaded. */
export type ReloadParts = Pick<Env, 'clock' | 'metrics' | 'log'> & { readonly reloads: Reloads };

/** A client configuration file that the configuration file of a flag names. */
export interface NamedFile extends FileFlag {
  /** Name of its health check. */
  readonly name: string;
  /** The name of the service, for the log. */
  readonly title: string;
}

/**
 * The service of a client configuration file that a flag names, as the file changes. Throws a `StartError` with the flag when
 * the file is invalid.
 */
export function remoteService(flag: string, path: string, parts: RemoteParts & ReloadParts): Remote {
  const { clock, random } = parts;
  return new Remote({ post: reloadedPost(flag, path, parts, (each) => sending(each, parts)), clock, random });
}

/**
 * The service of a client configuration file that a configuration names, as the file changes; `firstPauseMs` is the pause before
 * the first retry. Throws `ClientConfigError` when the file is invalid or permits connections without TLS.
 */
export function tlsService(file: NamedFile, firstPauseMs: number, parts: RemoteParts & ReloadParts): Remote {
  const { clock, random, reloads } = parts;
  const files = reloads.add(
    new ReloadedFiles<Sending>({
      name: file.name,
      title: `the client configuration of ${file.title}`,
      files: [],
      read: (_texts, previous, include) => {
        const service = clientConfigOf(readText(file.path, include), file.path, include);
        if (service.url.protocol !== 'https:') throw new ClientConfigError('cluster.server: TLS is required');
        return replaced(previous, () => sending(service, parts));
      },
      metrics: fileMetrics(file.flag, parts),
      env: parts,
    }),
  );
  return new Remote({ post: postOf(files), clock, random, firstPauseMs });
}

/**
 * The service of a client configuration file that a configuration names, which is read by `include`. Throws `ClientConfigError`
 * when the file is invalid.
 */
export function fileService(
  path: string,
  { include, timeoutMs }: { readonly include: IncludeFile; readonly timeoutMs: number },
  parts: RemoteParts,
): Remote {
  const { clock, random } = parts;
  const { post } = sending(clientConfigOf(readText(path, include), path, include), parts).value;
  return new Remote({ post, clock, random, timeoutMs });
}

/** As `remoteService`, when only the status code of the response is used. */
export function remotePost(flag: string, path: string, parts: ReloadParts): PostJson {
  const file = { flag, path };
  const files = reloadedFile(file, parts, (service) =>
    usable(() => new UsedResource(connectionsTo(service, { clock: parts.clock, maxSockets: BATCH_SOCKETS }))),
  );
  return (body, signal) =>
    files.current.use(async (connections) => {
      const { status } = await connections.post({ payload: body }, signal);
      return { status };
    });
}

/** The sender of questions to a service, until its client configuration is replaced. */
type Sending = UsedResource<Disposable & { readonly post: Post }>;

/** Throws `ClientConfigError` when certificates cannot be read. */
function sending(service: RemoteService, { tracing, metrics, clock, decides }: RemoteParts): Sending {
  const traced = tracing && tracedCalls(tracing);
  const headers = traced === undefined ? {} : { headers: traced.headers };
  const send = usable(() => jsonPost(service, { ...headers, clock, metrics }));
  const measured = decides === undefined ? send : measuredPost(send, decides, { metrics, clock });
  const post: Post =
    traced === undefined
      ? measured
      : (body, signal) => traced.spanned(service.url.host, () => measured(body, signal));
  return new UsedResource({ post, [Symbol.dispose]: () => send[Symbol.dispose]() });
}

const reloadedPost = (
  flag: string,
  path: string,
  parts: ReloadParts,
  make: (service: RemoteService) => Sending,
): Post => postOf(reloadedFile({ flag, path }, parts, make));

const postOf =
  (files: Pick<ReloadedFiles<Sending>, 'current'>): Post =>
  (body, signal) =>
    files.current.use(({ post }) => post(body, signal));

/** The result of `make` for the client configuration file of a flag, as the file changes. Throws a `StartError`. */
const reloadedFile = <T extends Disposable>(
  file: FileFlag,
  { reloads, ...env }: ReloadParts,
  make: (service: RemoteService) => T,
): ReloadedFiles<T> =>
  reloads.add(
    new ReloadedFiles<T>({
      title: `the client configuration of --${file.flag}`,
      files: [file],
      read: ([text = ''], previous, include) =>
        asStartError(file, ClientConfigError, () => {
          const service = clientConfigOf(text, file.path, include);
          return replaced(previous, () => make(service));
        }),
      metrics: fileMetrics(file.flag, env),
      env,
    }),
  );

/** Disposes the previous value after the next one was made. */
function replaced<T extends Disposable>(previous: T | undefined, make: () => T): T {
  const next = make();
  previous?.[Symbol.dispose]();
  return next;
}

function readText(path: string, include: IncludeFile): string {
  try {
    return include(path);
  } catch (error) {
    throw new ClientConfigError(messageOf(error));
  }
}

/** Throws `ClientConfigError` when the file is invalid, or one that it names. */
const clientConfigOf = (text: string, path: string, include: IncludeFile): RemoteService =>
  usable(() => readClientConfig(text, path, include));

/** Problems with certificates and files are problems of the configuration that contains or names them. */
function usable<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    const isBadFile = error instanceof Error && 'code' in error;
    throw isBadFile ? new ClientConfigError(messageOf(error)) : error;
  }
}
