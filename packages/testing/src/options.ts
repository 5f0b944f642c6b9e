import type { ApiObject, Impersonation, LoadedConfig, Naming } from '@orch/client';
import type { EventuallyOptions, Expectation } from './expect/eventually.ts';
import type { HistoryOptions, ObjectWrite } from './expect/history.ts';
import type { QuiescentOptions } from './expect/quiescent.ts';
import type { Manifest } from './manifests/read-manifests.ts';
import type { TestWebhooks } from './webhooks/test-webhooks.ts';
import type { WorkloadOptions } from './workloads/workload-options.ts';

/** The API, the initial objects and the parts of a control plane. */
export interface ControlPlaneOptions extends WorkloadOptions {
  /** The names of groups and labels; `orch` when absent. */
  readonly naming?: Naming;
  /** The release whose API is served, such as `1.27`; `latest`, the newest one, when absent. */
  readonly emulatedVersion?: string;
  /** A file of `snapshot`, whose objects exist at the start with their resourceVersions. The naming is that of its control plane. */
  readonly snapshot?: string;
  /**
   * Custom resource definitions that are served before the call resolves. A text is the path of a file or folder of manifests, whose
   * other objects are ignored.
   */
  readonly crds?: readonly Manifest[];
  /** Objects that exist before the call resolves, in order. A text is the path of a file or folder of manifests. */
  readonly seed?: readonly Manifest[];
  /** Webhooks of the test, which the control plane calls. See `serveWebhooks`. */
  readonly webhooks?: TestWebhooks;
  /** The controllers that run: all of them when absent; none with `false`; or names as of the flag `--controllers`. */
  readonly controllers?: boolean | readonly string[];
  /** Admission plugins besides the default ones, and default ones that are disabled. */
  readonly admission?: { readonly enable?: readonly string[]; readonly disable?: readonly string[] };
  /**
   * The number of servers that wait to become forks: that many forks can be made within milliseconds of each other. Without it, the
   * first fork starts its server, and one waits from then on. A server that waits costs about 15 MiB.
   */
  readonly forks?: number;
  /**
   * With `false`, no port is opened: the clients of `config` call the server in this process, which is faster. Other programs cannot reach
   * it then, `url` and `configFile` are empty, and exec, attach and port-forward fail.
   */
  readonly port?: false;
  /** Other flags of `orch up`: `--feature-gates=…`. */
  readonly flags?: readonly string[];
}

/** A control plane that runs in this process. */
export interface ControlPlane extends AsyncDisposable {
  /** The administrator's configuration, for `createClient`. */
  readonly config: LoadedConfig;
  /** The address of its port, which uses TLS; empty without a port. */
  readonly url: string;
  /** The path of the administrator's client configuration file, for other programs; empty without a port. */
  readonly configFile: string;
  /**
   * The configuration of another user, whose permissions apply: `configAs({ user: 'system:serviceaccount:shop:operator' })` for a program
   * with its roles. Its transport is that of `config`.
   */
  configAs(user: Impersonation): LoadedConfig;
  /**
   * Makes all objects as they were after the start, or when the fork was made. Watches see the differences, and resourceVersions continue to
   * grow. Controllers begin again, and remember nothing of before; stop those of the test before. What the controllers make of the objects of
   * the options, without workloads, is part of the state once they have come to rest after the start; when a test has written before
   * that, the first reset waits for it.
   */
  reset(): Promise<void>;
  /**
   * A control plane with a copy of the current objects, which have the same resourceVersions; it has its own port, and shares nothing
   * that changes. It stops with this one at the latest. The controllers of the copy start while this resolves.
   */
  fork(): Promise<ControlPlane>;
  /**
   * Serves webhooks in this process until the control plane stops, and creates their configurations, with the address and the
   * authority of this process in place of a service. Resolves when every later request meets them. Rejects with a TypeError for a
   * webhook without a handler, and with failures of requests.
   */
  serveWebhooks(webhooks: TestWebhooks): Promise<void>;
  /**
   * Moves the time of the control plane and of the programs that use the clock of `config` forward at once, as for a machine that was
   * suspended: what has fallen due happens once, in the order of its time. Requests whose deadlines have passed end, too.
   */
  advance(ms: number): Promise<void>;
  /**
   * Waits on a watch until an object meets an expectation, which returns false or throws until then, and returns true or nothing when
   * it is met; a deleted object is undefined. Resolves with the object. Rejects after `timeoutMs`, with the reason, the history of the object and its last state, and with a
   * TypeError for an async expectation. `advance` does not shorten the wait.
   */
  eventually<T extends ApiObject, R>(
    object: T,
    expectation: Expectation<T, R>,
    options?: EventuallyOptions,
    signal?: AbortSignal,
  ): Promise<T | undefined>;
  /**
   * Resolves when nothing remains to be done: no key is queued, processed or waits for another attempt, in the controllers of the
   * control plane and in those that use its configuration, and the store does not change. Rejects after `timeoutMs` with the work
   * that remains and the latest writes.
   */
  quiescent(options?: QuiescentOptions, signal?: AbortSignal): Promise<void>;
  /**
   * The writes of all objects since the start, the last reset or the fork, in their order: who made them, and which fields changed.
   * Writes of Events, Leases and Secrets are omitted.
   */
  history(options?: HistoryOptions, signal?: AbortSignal): Promise<readonly ObjectWrite[]>;
  /**
   * Writes all current objects with their resourceVersions to a file, for the option `snapshot`. Only its owner can read it, because
   * it includes Secrets. Webhooks of the test are not part of it.
   */
  snapshot(file: string): Promise<void>;
  /** Stops controllers, forks and server, and removes all files. */
  stop(): Promise<void>;
}
