import type { PersistentVolumeClaim } from '@orch/kinds/core';
import type { WarningContext } from '../../content-warning.ts';
import { claimSpecWarnings } from '../shared/pod-spec/warnings/volumes.ts';
import { storageAnnotationWarnings } from '../shared/storage-annotation.ts';

/** Warns of a claim. */
export const claimWarnings = (
  { metadata, spec = {} }: PersistentVolumeClaim,
  _old: PersistentVolumeClaim | undefined,
  context: WarningContext,
): readonly string[] => [
  ...storageAnnotationWarnings(metadata.annotations, context),
  ...claimSpecWarnings('spec', spec, context.since),
];
