import { type KvEvent, keyAfter, type Revision, readable, type Store } from '@orch/storage';
import { entriesOfPart } from '../format/entry.ts';
import type { MigrationProgress } from './progress.ts';
import type { SourceChanges } from './source-changes.ts';
import type { SourceEntry, TargetWriter } from './target-writer.ts';

export interface TailOptions {
  readonly source: Pick<Store, 'scan'>;
  readonly changes: SourceChanges;
  readonly writer: TargetWriter;
}

/** Changed keys that are few enough to be copied while writes wait. */
const FEW_KEYS = 128;
/** With more writes than can be followed, the pause finds out that it takes too long. */
const MAX_ROUNDS = 20;

/** Copies the changes since the copy of the whole content. */
export class Tail {
  readonly #options: TailOptions;

  constructor(options: TailOptions) {
    this.#options = options;
  }

  /** Changes that were copied. */
  get followed(): number {
    return this.#options.writer.written;
  }

  /** Copies changes until few are left. */
  async follow(
    onProgress: ((progress: MigrationProgress) => void) | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { changes, writer } = this.#options;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const changed = changes.take();
      // Their current state: what changes later is in the next round.
      await writer.write(changed, (key) => this.#read(key, signal), signal);
      onProgress?.({ phase: 'follow', done: writer.written, total: writer.written });
      if (changed.size <= FEW_KEYS) return;
    }
  }

  /** Copies the changes up to the last revision, and no later ones: keys may expire meanwhile. */
  async complete(lastRevision: Revision, signal: AbortSignal): Promise<void> {
    const { changes, writer } = this.#options;
    await changes.reached(lastRevision, signal);
    await writer.write(changes.take(), (_, event) => this.#entryOf(event, signal), signal);
  }

  async #entryOf(event: KvEvent | undefined, signal: AbortSignal): Promise<SourceEntry | undefined> {
    if (event?.type !== 'put') return undefined;
    const written = readable(event.kv);
    const { key, modRevision } = written;
    const current = await this.#read(key, signal);
    // Absent: it has expired since. It expires in the target as well.
    if (current === undefined) return { ...written, ttlSeconds: 1 };
    return current.modRevision === modRevision ? current : written;
  }

  async #read(key: string, signal: AbortSignal): Promise<SourceEntry | undefined> {
    const range = { start: key, end: keyAfter(key) };
    for await (const part of this.#options.source.scan(range, { withTtl: true }, signal)) {
      const [entry] = entriesOfPart(part, '');
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}
