import { UsageError } from '@orch/program/flags';
import { pairsOf } from '../start/pairs.ts';
import { isImageName } from './image-name.ts';

/** The image that `NAME=IMAGE` has for a container; `*` is for all that have none. Throws a `UsageError`. */
export function imageOverrides(texts: readonly string[]): (container: string) => { readonly image?: string } {
  const images = new Map(pairsOf(texts, '--set-image'));
  for (const [name, image] of images)
    if (!isImageName(image))
      throw new UsageError(
        `invalid image name ${JSON.stringify(image)} for container ${JSON.stringify(name)}`,
      );
  return (container) => {
    const image = images.get(container) ?? images.get('*');
    return image === undefined ? {} : { image };
  };
}
