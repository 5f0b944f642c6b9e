import type { WatchCache } from '@orch/cache';
import type { Env, LogVerbosity } from '@orch/machinery';
import type { BuildFacts, Cleanup } from '@orch/program';
import type { LocalPrograms } from '@orch/registry';
import type { ApiRequest } from '@orch/request';
import type { Store } from '@orch/storage';
import type { SharedWriterThread } from '@orch/storage/embedded';
import type { LoopbackTransport } from '../loopback/loopback-transport.ts';
import type { OwnSecrets } from '../own-secrets.ts';
import type { Settings } from '../settings/settings.ts';
import type { FurtherThread } from '../threads/further-thread.ts';
import type { ServingThreads } from '../threads/serving-threads.ts';

/** A server that serves requests and is ready. */
export interface RunningApiServer {
  /** Empty without a port. */
  readonly url: string;
  /** Path of the administrator's client configuration file, which is not written without a port. */
  readonly adminConfig: string;
  /** Address of the ops port, `host:port`; undefined when it is disabled. */
  readonly ops: string | undefined;
  /** Keys and certificates that the server has created or loaded for the whole cluster. */
  readonly own: OwnSecrets;
  /** In-process transport to the server; undefined when the host has no loopback user. */
  readonly loopback: LoopbackTransport | undefined;
  /** Tells when the watches of this server have a revision: its caches have it, and a bookmark follows it. */
  readonly cache: Pick<WatchCache, 'revision' | 'bookmark'>;
  /** Number of requests that this thread handles, without long-running ones. */
  readonly inflight: () => number;
}

/** The process around a server. */
export interface ApiServerHost {
  readonly env: Env;
  /** Lines that the log of `env` has dropped so far. */
  readonly droppedLogLines: () => number;
  /** Verbosity of the log of `env`; the server may change it. */
  readonly verbosity: LogVerbosity;
  readonly build: BuildFacts;
  /** The embedded store's worker, where the program is bundled. */
  readonly workerUrl?: URL;
  /** The thread that writes the embedded stores of all servers in this process; each has a thread without it. */
  readonly sharedWriter?: SharedWriterThread | undefined;
  /** Opens the store in place of the one that the settings name: one in memory, for tests. */
  readonly openStore?: () => Promise<Store>;
  /** User name of requests over the loopback transport; without it, there is no loopback transport. */
  readonly loopbackUser?: string;
  /** Called with each request to the API before it is handled, within the call of `send` for those over the loopback transport. */
  readonly onRequest?: (request: Pick<ApiRequest, 'method'>) => void;
  /** With `false`, the server opens no port for its API: only requests over the loopback transport reach it. */
  readonly opensPort?: boolean;
  /** Other programs in this process, for the status of components. */
  readonly localPrograms?: LocalPrograms;
  /** The program of further threads, where the program is bundled. */
  readonly threadUrl?: URL;
  /** The program of the thread that parses large bodies of YAML, where the program is bundled. */
  readonly yamlThreadUrl?: URL;
  /** Present in a further thread of a process: a replica without the parts that a process has once (design 0020). */
  readonly furtherThread?: FurtherThread;
  /** Called once, when `/readyz` returns 200. */
  readonly onReady: (running: RunningApiServer) => void;
}

/** The input of every phase of a start: `open`, `assemble`, `serve`, `publish`. */
export interface StartContext {
  readonly settings: Settings;
  readonly host: ApiServerHost;
  /** The further threads that this one has started. */
  readonly threads: ServingThreads;
  /** Each phase adds what releases its resources; the steps run in reverse order, also after a failed start. */
  readonly cleanup: Cleanup;
  /** Aborts when the program is to stop. */
  readonly signal: AbortSignal;
}
