/** A text kept outside of the process or made by it, such as a file. Reading is cheap and always gives what is there now. */
export interface Content {
  /** For messages: the flag and the file, or what made it. */
  readonly origin: string;
  /** Rejects when it cannot be read at the moment. */
  read(): Promise<string>;
}

/** Certificate and key of an authority, PEM. The certificate may be followed by the ones above it. */
export interface AuthorityContent {
  readonly cert: Content;
  readonly key: Content;
}

/** The built-in signers (spec 5.15), by what `Names.signers` calls them. */
export type SignerKey = 'apiserverClient' | 'apiserverClientNodeagent' | 'nodeagentServing' | 'legacyUnknown';

/** Everything that flags say to controllers. Durations in milliseconds. */
export interface ControllerOptions {
  /** Release of the API server, from its `/version`: `{ major: 1, minor: 20 }`. */
  readonly release: { readonly major: number; readonly minor: number };
  /** `--feature-gates`: what was said of a gate; undefined where nothing was, and the release decides. */
  featureGate(name: string): boolean | undefined;
  /** Keys that a controller works on at the same time, of those that have a flag for it. */
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
    /** How often discovery is read for resources that are new or gone. */
    readonly discoveryIntervalMs: number;
  };
  readonly namespace: {
    readonly resyncMs: number;
    /** A namespace goes no sooner than this after its deletion was seen; five seconds when absent. */
    readonly settleMs?: number;
  };
  readonly resourceQuota: { readonly resyncMs: number };
  readonly podGc: {
    /** Terminated pods beyond this many are deleted; 0: none are. */
    readonly terminatedThreshold: number;
    readonly intervalMs: number;
    /** How long a node must be missing before its pods are taken for orphans. */
    readonly quarantineMs: number;
  };
  readonly signing: {
    /** `--cluster-signing-duration`. */
    readonly durationMs: number;
    /** A signer without an authority signs nothing. */
    readonly authorities: Readonly<Partial<Record<SignerKey, AuthorityContent>>>;
  };
  /** PEM private key that signs tokens of token Secrets (`--service-account-private-key-file`). */
  readonly serviceAccountKey?: Content;
  /** PEM certificates that are published to namespaces and put into token Secrets (`--root-ca-file`). */
  readonly rootCa?: Content;
}
