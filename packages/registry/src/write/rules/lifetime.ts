import type { Strategy } from '@orch/apis';
import type { WritePath } from '../../resource/paths.ts';

/** The time to live of a written object: objects that expire do so some time after their last write. */
export function lifetimeOf(
  { expires }: Pick<Strategy, 'expires'>,
  { limits: { expirySeconds } }: Pick<WritePath, 'limits'>,
): { readonly ttlSeconds?: number } {
  return expires === true && expirySeconds > 0 ? { ttlSeconds: expirySeconds } : {};
}
