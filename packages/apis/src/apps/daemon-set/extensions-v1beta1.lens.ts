import { exactNumberText } from '@orch/machinery/json';
import { type AnnotationCodec, type Lens, olderOnly } from '@orch/schema';
import { readInt64 } from '../shared/int64-text.ts';

/** The number as text. The older version does not show 0, so it remains an annotation. */
const generationCodec: AnnotationCodec = {
  write: (generation) => exactNumberText(generation) ?? '0',
  read(text) {
    const generation = readInt64(text);
    return generation === 0 ? undefined : generation;
  },
};

/** In apps/v1 an annotation counts the changes of the template. */
export const daemonSetLens: Lens = olderOnly({
  path: 'spec.templateGeneration',
  key: ({ names }) => names.annotations.daemonSetTemplateGeneration,
  codec: generationCodec,
});
