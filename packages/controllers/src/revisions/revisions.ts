import type { Informer, kinds, ResourceClient, Stored } from '@orch/client';
import { isAlreadyExists } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { OwnedObjects } from '../pods/owned-objects.ts';
import { decideRevision, type Revision, surplusRevisions, templateOf } from './decide.ts';

type PodTemplate = kinds.core.PodTemplateSpec;

/** A set of pods that keeps the revisions of its template. */
export type Revised = ApiObject & {
  readonly spec?: {
    readonly template: PodTemplate;
    readonly selector: kinds.meta.LabelSelector | null;
    readonly revisionHistoryLimit?: number;
  };
  readonly status?: { readonly collisionCount?: number };
};

/** The revisions of an owner: its current one, and those before. */
export interface RevisionHistory {
  readonly current: Stored<Revision>;
  readonly all: readonly Stored<Revision>[];
  templateOf(name: string): PodTemplate | undefined;
}

/** `taken`: another revision has the name that the current one would have. */
export type FoundRevisions = RevisionHistory | 'taken';

/** Whose revisions are kept, and the label of a revision with the hash of its template. */
export interface RevisionsOptions<O extends Revised> {
  readonly owners: ResourceClient<O>;
  readonly hashLabel: string;
}

const LIMIT = 10;

/** Keeps the revisions of owners of one kind. */
export class Revisions<O extends Revised> {
  readonly #owned: OwnedObjects<Revision, O>;
  readonly #hashLabel: string;

  constructor(
    informer: Informer<Revision>,
    api: ResourceClient<Revision>,
    { owners, hashLabel }: RevisionsOptions<O>,
  ) {
    this.#hashLabel = hashLabel;
    this.#owned = new OwnedObjects({ informer, api, owners });
  }

  isBehind(uid: string): boolean {
    return this.#owned.isBehind(uid);
  }

  /** Finds the revision of the template of an owner, or creates it. */
  async find(owner: Stored<O>, signal: AbortSignal): Promise<FoundRevisions> {
    const { template = {} } = owner.spec ?? {};
    const existing = this.#owned.of(owner.metadata.uid);
    const collisions = owner.status?.collisionCount ?? 0;
    const { current, create, renumber } = decideRevision(
      owner,
      { template, hashLabel: this.#hashLabel, collisions },
      existing,
    );
    const found = current ?? (create === undefined ? undefined : await this.#create(owner, create, signal));
    if (found === undefined) return 'taken';
    const latest =
      renumber === undefined
        ? found
        : await this.#owned.update(owner, { ...found, revision: renumber }, signal);
    const all = [...existing.filter(({ metadata }) => metadata.uid !== latest.metadata.uid), latest];
    return {
      current: latest,
      all,
      templateOf(name) {
        const revision = all.find(({ metadata }) => metadata.name === name);
        return revision === undefined ? undefined : templateOf(revision);
      },
    };
  }

  /** Removes the oldest revisions beyond the limit of the owner, of those that nothing uses. */
  async prune(
    owner: Stored<O>,
    { all }: RevisionHistory,
    { isUsed, signal }: { isUsed(name: string): boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const limit = owner.spec?.revisionHistoryLimit ?? LIMIT;
    const surplus = surplusRevisions(all, { limit, isUsed });
    await Promise.all(surplus.map((revision) => this.#owned.remove(revision, signal)));
  }

  async #create(
    owner: Stored<O>,
    revision: Revision,
    signal: AbortSignal,
  ): Promise<Stored<Revision> | undefined> {
    try {
      return await this.#owned.create(owner, revision, signal);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return undefined;
    }
  }
}
