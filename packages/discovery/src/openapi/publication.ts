import type { Clock } from '@orch/machinery';
import { aborted, withDeadline } from '@orch/machinery/concurrency';
import type { OpenApi } from '@orch/schema';

/**
 * Number of changed definitions up to which a request waits for the new documents, so that it sees definitions made
 * before it.
 */
export const FEW_CHANGES = 16;
const PATIENCE_MS = 1000;

const never = new AbortController().signal;

/** The documents for one state of the served resources, created on demand. */
export interface Edition {
  readonly documents: OpenApi;
  /** Number of changes of the served resources before it. */
  readonly changes: number;
}

export interface PublicationOptions {
  readonly clock: Clock;
  /** The current edition of the served resources: the same value until they change. */
  readonly newest: () => Edition;
  /** Creates all documents of one version of OpenAPI. */
  readonly make: (documents: OpenApi) => Promise<unknown>;
  /** Reports an edition that could not be created. */
  readonly failed: (cause: unknown) => void;
}

/**
 * The documents of one version of OpenAPI that requests are answered from: the last complete ones, while newer ones are
 * being created.
 */
export class Publication {
  readonly #options: PublicationOptions;
  #complete: Edition | undefined;
  /** An edition that could not be created; it is not retried. */
  #failed: Edition | undefined;
  #making: Promise<void> | undefined;
  #isRequested = false;

  constructor(options: PublicationOptions) {
    this.#options = options;
  }

  /** Whether a document was requested: from then on they are kept current. */
  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** The documents for a request. Before any are complete, a request waits for its own document only. */
  async forRequest(): Promise<OpenApi> {
    this.#isRequested = true;
    const complete = this.#complete;
    const newest = this.#options.newest();
    if (complete === undefined) return newest.documents;
    if (this.#isCurrent()) return complete.documents;
    if (newest.changes - complete.changes <= FEW_CHANGES) await this.#catchUp();
    else void this.renew();
    return (this.#complete ?? complete).documents;
  }

  /**
   * Creates the documents of the current resources. Concurrent callers share one run, which may be of an earlier state.
   * Never rejects: after a failure the last complete documents stay.
   */
  renew(): Promise<void> {
    if (this.#making === undefined && this.#isCurrent()) return Promise.resolve();
    this.#making ??= this.#make(this.#options.newest()).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  #isCurrent(): boolean {
    const newest = this.#options.newest();
    return newest === this.#complete || newest === this.#failed;
  }

  async #make(edition: Edition): Promise<void> {
    try {
      await this.#options.make(edition.documents);
      this.#complete = edition;
    } catch (cause) {
      this.#failed = edition;
      this.#options.failed(cause);
    }
  }

  /** Resolves when the documents are current, or when a request has waited long enough; their creation continues. */
  async #catchUp(): Promise<void> {
    using deadline = withDeadline(never, this.#options.clock, PATIENCE_MS);
    const isLate = aborted(deadline.signal);
    while (!this.#isCurrent() && !deadline.signal.aborted) await Promise.race([this.renew(), isLate]);
  }
}
