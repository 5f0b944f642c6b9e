import { type FieldOptions, f, type StructSchema } from '@orch/schema';

// Fields of many volume sources, each with a different Protobuf number.

export const fsTypeField = (num: number, options: FieldOptions = {}) =>
  f.string(num, {
    doc: 'File system of the volume, such as ext4 or xfs. The default of the node when empty.',
    ...options,
  });

export const readOnlyField = (num: number, options: FieldOptions = {}) =>
  f.bool(num, { doc: 'Mounts without permission to write.', ...options });

export const partitionField = (num: number) =>
  f.int32(num, { doc: 'Partition to mount; the whole device when 0.', min: 0, max: 255 });

/** A reference to the credentials of a storage; `schema` is that of the reference. */
export const secretRefField = (num: number, schema: StructSchema) =>
  f.struct(num, schema, {
    doc: 'Secret with the credentials for the storage.',
    presence: 'pointer',
  });

export const defaultModeField = (num: number) =>
  f.int32(num, {
    doc: 'Permission bits of the files.',
    presence: 'pointer',
    default: 420,
    format: 'fileMode',
  });

/** Later releases let the owner of files differ from the user of the container. */
const ownedFiles = { since: 'never', gate: 'AtomicWriteVolumeUserFields' } as const;
const MAX_USER_ID = 2_147_483_647;

export const defaultUserField = (num: number) =>
  f.int64(num, {
    doc: 'ID of the user that owns the files.',
    presence: 'pointer',
    min: 0,
    max: MAX_USER_ID,
    ...ownedFiles,
  });

export const fileUserField = (num: number) =>
  f.int64(num, {
    doc: 'ID of the user that owns the file; that of the volume when absent.',
    presence: 'pointer',
    min: 0,
    max: MAX_USER_ID,
    ...ownedFiles,
  });

export const fileModeField = (num: number) =>
  f.int32(num, {
    doc: 'Permission bits of the file; those of the volume when absent.',
    presence: 'pointer',
    format: 'fileMode',
  });
