import type { Resource } from '@orch/client';

/** A string that may change, such as a file or a generated certificate. Reading is cheap and returns the current text. */
export interface Content {
  /** For messages: the flag and the file, or the origin of a generated text. */
  readonly origin: string;
  /** Rejects when the text cannot be read at the moment. */
  read(): Promise<string>;
}

/** Certificate and key of an authority, PEM. The certificate may be followed by its issuers. */
export interface AuthorityContent {
  readonly cert: Content;
  readonly key: Content;
}

/** The built-in signers (spec 5.15), by their keys in `Names.signers`. */
export type SignerKey = 'apiserverClient' | 'apiserverClientNodeagent' | 'nodeagentServing' | 'legacyUnknown';

/** A moment of the server. */
export interface Moment {
  readonly version: number;
  /** Reports whether objects of a resource may have changed. */
  mayDiffer(resource: Pick<Resource, 'resource'>): boolean;
}

/** A copy of objects that follows the server. */
export interface Follower {
  /** Whether the copy has all changes up to a moment. */
  hasReached(moment: Moment): boolean;
}

/** What outlives a controller that ends and is built again over the same informers. */
export interface Kept {
  /** The value of the first call with this name. The signal of `make` aborts when it is not used again. */
  of<T extends Follower>(name: string, make: (signal: AbortSignal) => T): T;
}

/** The configuration of all controllers. Durations in milliseconds. */
export interface ControllerOptions {
  /** Release of the API server, from its `/version`: `{ major: 1, minor: 20 }`. */
  readonly release: { readonly major: number; readonly minor: number };
  /** `--feature-gates`: the value of a gate; undefined when it is unset, so that the default of the release applies. */
  featureGate(name: string): boolean | undefined;
  /** Concurrent reconciliations, of controllers that have a flag for it. */
  readonly concurrency: {
    readonly garbageCollector: number;
    readonly namespace: number;
    readonly resourceQuota: number;
    readonly serviceAccountToken: number;
    readonly ttlAfterFinished: number;
    readonly certificate: number;
  };
  readonly garbageCollector: {
    /** `--enable-garbage-collector`. */
    readonly isEnabled: boolean;
    /** Interval of discovery for added and removed resources. */
    readonly discoveryIntervalMs: number;
  };
  readonly namespace: {
    readonly resyncMs: number;
    /** Minimum time between the observed deletion of a namespace and its removal; five seconds when absent. */
    readonly finalizeDelayMs?: number;
    /** Reports whether the only API server handles no request, which makes that time shorter; absent with several servers. */
    readonly isServerIdle?: () => boolean;
  };
  readonly resourceQuota: { readonly resyncMs: number };
  readonly podGc: {
    /** Terminated pods beyond this number are deleted; 0: none. */
    readonly terminatedThreshold: number;
    readonly intervalMs: number;
    /** Time that a node must be missing before its pods are orphaned. */
    readonly quarantineMs: number;
  };
  /** Absent: the default delays. */
  readonly jobs?: {
    /** Delay of the next pod after a failed one, which each further failure doubles; ten seconds when absent. */
    readonly backoffMs?: number;
    /** Time for which changes of pods are collected; one second when absent. */
    readonly batchMs?: number;
  };
  readonly storageVersionMigrator: {
    /** Objects that are stored again per second, of all migrations together. */
    readonly writesPerSecond: number;
    /** Time that a definition must be unchanged before its objects are migrated; five seconds when absent. */
    readonly settleMs?: number;
  };
  readonly signing: {
    /** `--cluster-signing-duration`. */
    readonly durationMs: number;
    /** Signers without an authority are disabled. */
    readonly authorities: Readonly<Partial<Record<SignerKey, AuthorityContent>>>;
  };
  /** PEM private key that signs tokens of token Secrets (`--service-account-private-key-file`). */
  readonly serviceAccountKey?: Content;
  /** PEM certificates that are published in namespaces and token Secrets (`--root-ca-file`). */
  readonly rootCa?: Content;
  /** Present where controllers end and are built again over the same informers: in a test control plane, which is reset. */
  readonly kept?: Kept;
}
