import type { Random } from '@orch/machinery';
import { readable, type Store } from '@orch/storage';
import { internalKey } from '../resource/store-keys.ts';
import { ContinueTokens } from './continue-token.ts';

const KEY_BYTES = 32;

/**
 * The key of continue tokens, created by the first replica that needs it and shared through the store, so that each accepts
 * the tokens of all others.
 */
async function loadKey(
  store: Store,
  storePrefix: string,
  random: Random,
  signal: AbortSignal,
): Promise<Buffer> {
  const key = internalKey(storePrefix, 'continue-token-key');
  const { kv } = await store.get(key, signal);
  if (kv !== undefined) return readable(kv).value;
  const value = random.bytes(KEY_BYTES);
  const committed = await store.commit({ op: 'create', key, value }, signal);
  // Another replica created its key first.
  return committed.ok ? value : (readable(committed.current)?.value ?? value);
}

/** Reads the key on first use and caches it. */
export class ContinueTokenSource {
  readonly #load: (signal: AbortSignal) => Promise<Buffer>;
  #tokens: ContinueTokens | undefined;

  constructor(store: Store, storePrefix: string, random: Random) {
    this.#load = (signal) => loadKey(store, storePrefix, random, signal);
  }

  /** Undefined until the key was read. */
  current(): ContinueTokens | undefined {
    return this.#tokens;
  }

  async ready(signal: AbortSignal): Promise<ContinueTokens> {
    this.#tokens ??= new ContinueTokens(await this.#load(signal));
    return this.#tokens;
  }
}
