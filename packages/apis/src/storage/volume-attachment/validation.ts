import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
} from '@orch/kinds/storage';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import type { StrategyContext } from '../../resource-type.ts';
import { checkDriverName, checkFormat } from '../../validation-rules.ts';

const MAX_METADATA_BYTES = 256 * 1024;
const oneOf = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** Checks that there is one volume, and its name: an update, which cannot change it, is not checked before 1.37. */
export const checkAttachmentSource: Check<VolumeAttachmentSource> = (source, { path, operation, since }) => {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source;
  if (name === undefined && inline === undefined) return [fieldError.required(path, oneOf)];
  if (name === undefined) return [];
  return [
    ...(inline === undefined ? [] : [fieldError.forbidden(path, oneOf)]),
    ...(name === '' && inline === undefined ? [fieldError.required(`${path}.persistentVolumeName`)] : []),
    ...(operation === 'create' || since('1.37')
      ? checkFormat('dns1123subdomain', `${path}.persistentVolumeName`, name)
      : []),
  ];
};

export const checkAttachment: Check<VolumeAttachmentSpec> = (spec, { path }) =>
  checkFormat('dns1123subdomain', `${path}.nodeName`, spec.nodeName ?? '');

export const checkAttachmentStatus: Check<VolumeAttachmentStatus> = (status, { path }) => {
  let size = 0;
  for (const [key, value] of Object.entries(status.attachmentMetadata ?? {})) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  return size > MAX_METADATA_BYTES
    ? [fieldError.tooLong(`${path}.attachmentMetadata`, MAX_METADATA_BYTES)]
    : [];
};

/** Versions in which attachments had no `/status`, and their driver names were not validated. */
const older: ReadonlySet<string> = new Set(['storage/v1beta1', 'storage/v1alpha1']);

export const isOlderAttachment = ({ requestVersion }: StrategyContext): boolean => older.has(requestVersion);

/** Attachments created in an older version may keep their name. */
export function validateNewAttachment(
  next: VolumeAttachment,
  context: StrategyContext,
): readonly FieldError[] {
  const attacher = next.spec?.attacher ?? '';
  if (isOlderAttachment(context) || (attacher === '' && context.since('1.35'))) return [];
  return checkDriverName('spec.attacher', attacher);
}
