import { exactNumberText, isJsonObject } from '@orch/machinery/json';
import { type AnnotationCodec, type Lens, olderOnly } from '@orch/schema';
import { readInt64 } from '../shared/int64-text.ts';

/** The revision as a number; `0` means the previous one. */
const revisionCodec: AnnotationCodec = {
  write: (rollbackTo) => exactNumberText(isJsonObject(rollbackTo) ? rollbackTo.revision : undefined) ?? '0',
  read(text) {
    const revision = readInt64(text);
    if (revision === undefined) return undefined;
    return revision === 0 ? {} : { revision };
  },
};

/** apps/v1 has no field for a rollback; an annotation requests it. */
export const deploymentLens: Lens = olderOnly({
  path: 'spec.rollbackTo',
  key: ({ names }) => names.annotations.deploymentRollbackTo,
  codec: revisionCodec,
});
