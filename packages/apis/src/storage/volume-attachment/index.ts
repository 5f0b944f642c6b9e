import type * as storage from '@orch/kinds/storage';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';
import { volumeAttachmentTable } from './table.ts';
import { VolumeAttachment } from './v1.ts';
import { isOlderAttachment, validateNewAttachment } from './validation.ts';

export const volumeAttachments: ResourceType = defineResource({
  group: 'storage',
  resource: 'volumeattachments',
  kind: 'VolumeAttachment',
  namespaced: false,
  versions: [
    { version: 'v1', schema: VolumeAttachment, introduced: '1.13' },
    {
      version: 'v1beta1',
      schema: VolumeAttachment,
      introduced: '1.10',
      deprecated: '1.19',
      removed: '1.22',
      differs: { subresources: [] },
    },
    {
      version: 'v1alpha1',
      schema: VolumeAttachment,
      introduced: '1.9',
      deprecated: '1.21',
      removed: '1.24',
      differs: { subresources: [] },
    },
  ],
  table: volumeAttachmentTable,
  strategy: strategyOf<storage.VolumeAttachment>({
    unconditionalUpdate: false,
    deleteReturns: 'object',
    prepareForCreate(next, context) {
      if (!isOlderAttachment(context)) next.status = { attached: false };
    },
    prepareForUpdate(next, old, context) {
      if (!isOlderAttachment(context)) keepStatus(next, old, context);
    },
    validate: (next, old, context) =>
      old === undefined || (context.since('1.37') && next.spec?.attacher !== old.spec?.attacher)
        ? validateNewAttachment(next, context)
        : [],
    through: { status: statusOnlyRules() },
  }),
  subresources: [statusSubresource('VolumeAttachment', 'storage')],
});
