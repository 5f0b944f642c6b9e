import type { Clock } from '@orch/machinery';
import { aborted, withDeadline } from '@orch/machinery/concurrency';
import type { OpenApi } from '@orch/schema';

/** A request waits for a change of so few definitions, so that it sees what was defined before it, and does not wait for a larger one. */
const FEW_CHANGES = 16;
const PATIENCE_MS = 1000;

const never = new AbortController().signal;

/** The documents for one state of the served resources. They are made on demand. */
export interface Edition {
  readonly documents: OpenApi;
  /** Number of changes of what is served before it. */
  readonly changes: number;
}

export interface PublicationOptions {
  readonly clock: Clock;
  /** The edition of what is served now: the same value until that changes. */
  readonly newest: () => Edition;
  /** Makes all documents of one version of OpenAPI. */
  readonly make: (documents: OpenApi) => Promise<unknown>;
  /** Reports an edition that could not be made. */
  readonly failed: (cause: unknown) => void;
}

/**
 * The documents of one version of OpenAPI, from which requests are answered: the last ones that are complete, while newer ones
 * are being made.
 */
export class Publication {
  readonly #options: PublicationOptions;
  #complete: Edition | undefined;
  /** One that could not be made: it is not tried again. */
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

  /** The documents to answer a request from. Before any are complete, a request waits for its own document only. */
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
   * Makes the documents of what is served now. Concurrent callers share one run, which may be of an earlier state. Never rejects:
   * after a failure the last complete documents stay.
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

  /** Resolves when the documents are current, or when a request has waited long enough; making them continues. */
  async #catchUp(): Promise<void> {
    using deadline = withDeadline(never, this.#options.clock, PATIENCE_MS);
    const isLate = aborted(deadline.signal);
    while (!this.#isCurrent() && !deadline.signal.aborted) await Promise.race([this.renew(), isLate]);
  }
}
