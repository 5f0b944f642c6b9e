import type { CommandEntry } from '../../cli/command.ts';
import { generatorCommands } from './generators.ts';

const section = 'Writing';

/** Commands that change objects. */
export const writingCommands: readonly CommandEntry[] = [
  {
    name: 'apply',
    section,
    summary: 'Apply the objects of files (server-side apply)',
    load: async () => (await import('../apply/apply.ts')).apply,
  },
  {
    name: 'create',
    section,
    summary: 'Create the objects of files, or one from flags',
    load: async () => (await import('../write/create.ts')).create,
    commands: generatorCommands,
  },
  {
    name: 'replace',
    section,
    summary: 'Replace objects by those of files',
    load: async () => (await import('../write/replace.ts')).replace,
  },
  {
    name: 'edit',
    section,
    summary: 'Edit objects of the server in an editor',
    load: async () => (await import('../edit/edit.ts')).edit,
  },
  {
    name: 'patch',
    section,
    summary: 'Change fields of objects by a patch',
    load: async () => (await import('../write/patch.ts')).patch,
  },
  {
    name: 'label',
    section,
    summary: 'Set and remove labels',
    load: async () => (await import('../write/label.ts')).label,
  },
  {
    name: 'annotate',
    section,
    summary: 'Set and remove annotations',
    load: async () => (await import('../write/annotate.ts')).annotate,
  },
  {
    name: 'scale',
    section,
    summary: 'Set the number of replicas',
    load: async () => (await import('../write/scale.ts')).scale,
  },
  {
    name: 'kustomize',
    section,
    summary: 'Print the objects of a kustomization',
    load: async () => (await import('../write/kustomize.ts')).kustomize,
  },
  {
    name: 'undo',
    section,
    summary: 'Restore an earlier state of an object, or a deleted object',
    load: async () => (await import('../history/undo.ts')).undo,
  },
  {
    name: 'delete',
    section,
    summary: 'Delete objects',
    load: async () => (await import('../delete/delete.ts')).deleteCommand,
  },
];
