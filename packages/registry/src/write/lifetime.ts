import type { Strategy } from '@orch/apis';
import type { WritePath } from '../resource/paths.ts';

/** What a write says of how long its object is kept: objects that expire do so some time after their last write. */
export function lifetimeOf(
  { expires }: Pick<Strategy, 'expires'>,
  { limits: { expirySeconds } }: Pick<WritePath, 'limits'>,
): { readonly ttlSeconds?: number } {
  return expires === true && expirySeconds > 0 ? { ttlSeconds: expirySeconds } : {};
}
