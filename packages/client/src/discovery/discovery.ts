import { ApiError, type Clock, formatApiVersion, type Names } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { isJsonObject } from '@orch/machinery/json';
import { decodeAnswer } from '../rest/read-body.ts';
import type { Requester } from '../rest/requester.ts';
import { TransportError } from '../transport/transport.ts';
import { aggregatedVersions } from './aggregated.ts';
import { type DiscoveredVersion, snapshotOf } from './discovered.ts';
import { coreVersions, groupVersions, readVersions } from './group-by-group.ts';
import type { DiscoveredResource, Discovery, DiscoverySnapshot } from './types.ts';

/** Minimum interval between requests because of an unknown kind. */
const MIN_REFRESH_INTERVAL_MS = 1000;

type Part = '/api' | '/apis';

/** A part of discovery in the aggregated form, when it was last read. */
interface CachedPart {
  readonly etag: string;
  readonly versions: readonly DiscoveredVersion[];
}

interface Last {
  readonly versions: readonly (readonly DiscoveredVersion[])[];
  readonly snapshot: DiscoverySnapshot;
}

export const createDiscovery = (
  requester: Requester,
  names: Names,
  clock: Pick<Clock, 'monotonic'>,
): Discovery => new RestDiscovery(requester, names, clock);

class RestDiscovery implements Discovery {
  readonly #requester: Requester;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #accept: string;
  readonly #cached = new Map<Part, CachedPart>();
  /** The last snapshot, and the versions from which it was made. */
  #last: Last | undefined;
  /** By apiVersion and kind. */
  #kinds: ReadonlyMap<string, DiscoveredResource> | undefined;
  #refreshing: Promise<void> | undefined;
  #refreshedAt = -Infinity;
  #failure: unknown;

  constructor(requester: Requester, names: Names, clock: Pick<Clock, 'monotonic'>) {
    this.#requester = requester;
    this.#clock = clock;
    const form = (version: string): string =>
      `application/json;g=${names.group('apidiscovery')};v=${version};as=APIGroupDiscoveryList`;
    this.#accept = `${form('v2')},${form('v2beta1')},application/json`;
  }

  async read(signal: AbortSignal = new AbortController().signal): Promise<DiscoverySnapshot> {
    const parts = [this.#part('/api', signal), this.#part('/apis', signal)];
    // The failure of one aborts the other.
    await Promise.allSettled(parts);
    const versions = await Promise.all(parts);
    const last = this.#last;
    // Parts that have not changed since are the same objects.
    if (last !== undefined && versions.every((part, i) => part === last.versions[i])) return last.snapshot;
    const snapshot = snapshotOf(versions.flat());
    this.#last = { versions, snapshot };
    this.#kinds = new Map(
      snapshot.all.toReversed().map((one) => [keyOf(formatApiVersion(one), one.kind), one]),
    );
    return snapshot;
  }

  async forKind(
    apiVersion: string,
    kind: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<DiscoveredResource | undefined> {
    signal.throwIfAborted();
    const cached = this.#kinds?.get(keyOf(apiVersion, kind));
    if (cached !== undefined) return cached;
    if (
      this.#refreshing === undefined &&
      this.#clock.monotonic() - this.#refreshedAt >= MIN_REFRESH_INTERVAL_MS
    ) {
      this.#refreshedAt = this.#clock.monotonic();
      this.#refreshing = this.#refresh();
    }
    if (this.#refreshing !== undefined) await abortable(this.#refreshing, signal);
    // A failed discovery must not look like a kind that does not exist.
    if (this.#kinds === undefined) throw this.#failure;
    return this.#kinds.get(keyOf(apiVersion, kind));
  }

  async #refresh(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      this.#failure = error;
      throw error;
    } finally {
      this.#refreshing = undefined;
    }
  }

  async #part(part: Part, signal: AbortSignal): Promise<readonly DiscoveredVersion[]> {
    const cached = this.#cached.get(part);
    const headers = {
      accept: this.#accept,
      ...(cached === undefined ? {} : { 'if-none-match': cached.etag }),
    };
    try {
      const { response, body } = await this.#requester.response(
        { method: 'GET', target: part, headers },
        signal,
      );
      if (response.status === 304 && cached !== undefined) return cached.versions;
      const document = decodeAnswer(body);
      if (!isJsonObject(document))
        throw new TransportError('unknown', `${part} has no document in its response`);
      if (document['kind'] === 'APIGroupDiscoveryList')
        return this.#cacheDocument(part, document, response.headers['etag']);
      this.#cached.delete(part);
      const versions = part === '/api' ? coreVersions(document) : groupVersions(document);
      return await readVersions(this.#requester, versions, signal);
    } catch (error) {
      // A server may serve only the core group, or only other groups.
      if (error instanceof ApiError && error.status.code === 404) return [];
      throw error;
    }
  }

  #cacheDocument(
    part: Part,
    document: Record<string, unknown>,
    etag: string | undefined,
  ): readonly DiscoveredVersion[] {
    const versions = aggregatedVersions(document);
    if (etag === undefined) this.#cached.delete(part);
    else this.#cached.set(part, { etag, versions });
    return versions;
  }
}

const keyOf = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;
