import { createHash } from 'node:crypto';
import { type Remote, RemoteError } from '@orch/auth';
import type { Clock } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { decisionOf, type ImageDecision, type ImageReviewSpec, imageReview } from './image-review.ts';
import type { ImagePolicy } from './read-image-policy.ts';

/** The decision of the backend, or the reason why there is none. */
export type ReviewOutcome = ImageDecision | { readonly failure: string };

export interface ImageReviewerOptions {
  readonly remote: Pick<Remote, 'query'>;
  readonly policy: Pick<ImagePolicy, 'allowTtlMs' | 'denyTtlMs'>;
  /** API version of reviews, with the group. */
  readonly apiVersion: string;
  readonly clock: Pick<Clock, 'monotonic'>;
}

const MAX_CACHED = 1024;
/** Longer decisions are not cached. */
const MAX_CACHED_CHARACTERS = 10_000;
/** Failures are shared by the phases of one write, and by retries of its client. */
const FAILURE_TTL_MS = 1000;

/** Requests decisions on images from the backend, and caches them. */
export class ImageReviewer {
  readonly #options: ImageReviewerOptions;
  readonly #allowed: BoundedCache<string, ImageDecision>;
  readonly #denied: BoundedCache<string, ImageDecision>;
  readonly #failed: BoundedCache<string, ReviewOutcome>;

  constructor(options: ImageReviewerOptions) {
    const { policy, clock } = options;
    this.#options = options;
    const cacheFor = <T>(ttlMs: number): BoundedCache<string, T> =>
      new BoundedCache({ maxEntries: MAX_CACHED, expiry: { ttlMs, clock } });
    this.#allowed = cacheFor(policy.allowTtlMs);
    this.#denied = cacheFor(policy.denyTtlMs);
    this.#failed = cacheFor(FAILURE_TTL_MS);
  }

  /** Rejects with the reason of the signal only. */
  review(spec: ImageReviewSpec, signal: AbortSignal): ReviewOutcome | Promise<ReviewOutcome> {
    // Users choose the length of annotations, so their digest is kept.
    const key = createHash('sha256').update(JSON.stringify(spec)).digest('base64');
    const cached = this.#allowed.get(key) ?? this.#denied.get(key) ?? this.#failed.get(key);
    return cached ?? this.#ask(key, spec, signal);
  }

  async #ask(key: string, spec: ImageReviewSpec, signal: AbortSignal): Promise<ReviewOutcome> {
    const { remote, apiVersion } = this.#options;
    let answer: unknown;
    try {
      answer = await remote.query(key, imageReview(apiVersion, spec), signal);
    } catch (error) {
      if (error instanceof RemoteError) return this.#failure(key, error.message);
      throw error;
    }
    const decision = decisionOf(answer, apiVersion);
    if (decision === undefined) return this.#failure(key, `its response is not an ${apiVersion} ImageReview`);
    if (JSON.stringify(decision).length <= MAX_CACHED_CHARACTERS)
      (decision.allowed ? this.#allowed : this.#denied).set(key, decision);
    return decision;
  }

  #failure(key: string, failure: string): ReviewOutcome {
    const outcome = { failure };
    this.#failed.set(key, outcome);
    return outcome;
  }
}
