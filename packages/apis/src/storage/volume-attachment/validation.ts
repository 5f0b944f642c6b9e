import { type ApiObject, type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asStringMap, asText, specOf } from '../../read.ts';
import type { StrategyContext } from '../../resource-type.ts';
import { checkFormat } from '../../validation-rules.ts';

const maxMetadataBytes = 256 * 1024;
const oneOf = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

export const checkAttachmentSource: Check = (source, { path }) => {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source;
  if (name === undefined && inline === undefined) return [fieldError.required(path, oneOf)];
  if (name !== undefined && inline !== undefined) return [fieldError.forbidden(path, oneOf)];
  return name === '' ? [fieldError.required(`${path}.persistentVolumeName`)] : [];
};

export const checkAttachment: Check = (spec, { path }) =>
  checkFormat('dns1123subdomain', `${path}.nodeName`, asText(spec['nodeName']));

export const checkAttachmentStatus: Check = (status, { path }) => {
  let size = 0;
  for (const [key, value] of Object.entries(asStringMap(status['attachmentMetadata']))) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  return size > maxMetadataBytes ? [fieldError.tooLong(`${path}.attachmentMetadata`, maxMetadataBytes)] : [];
};

/** Versions in which attachments had no `/status`, and their names of drivers any form. */
const older: ReadonlySet<string> = new Set(['storage/v1beta1', 'storage/v1alpha1']);

export const isOlderAttachment = ({ requestVersion }: StrategyContext): boolean => older.has(requestVersion);

/** Attachments that were made in an older version may keep the name they have. */
export function validateNewAttachment(next: ApiObject, context: StrategyContext): readonly FieldError[] {
  if (isOlderAttachment(context)) return [];
  return checkFormat('csiDriverName', 'spec.attacher', asText(specOf(next)['attacher']));
}
