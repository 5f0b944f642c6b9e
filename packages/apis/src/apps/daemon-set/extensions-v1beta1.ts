import { f, struct } from '@orch/schema';
import { deriveLabels } from '../../core/shared/template-labels.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import {
  derivedSelectorField,
  minReadySecondsField,
  revisionHistoryField,
  templateField,
} from '../shared/fields.ts';
import { DaemonSetStatus, daemonSetDoc, daemonSetStrategyOf, updateStrategyField } from './v1.ts';

export const DaemonSetSpec = struct(
  'extensions.v1beta1.DaemonSetSpec',
  'Template of the pods that run on every node, and how they are replaced.',
  {
    selector: derivedSelectorField(1),
    template: templateField(2),
    updateStrategy: updateStrategyField(3, daemonSetStrategyOf('extensions.v1beta1', 'OnDelete')),
    minReadySeconds: minReadySecondsField(4),
    templateGeneration: f.int64(5, { doc: 'Counts the changes of the template; set by the server.' }),
    revisionHistoryLimit: revisionHistoryField(6, 10),
  },
);

export const DaemonSet = struct(
  'extensions.v1beta1.DaemonSet',
  daemonSetDoc,
  {
    metadata: metadataField,
    spec: specField(DaemonSetSpec),
    status: statusField(DaemonSetStatus),
  },
  { typeMeta: true, derive: deriveLabels },
);
