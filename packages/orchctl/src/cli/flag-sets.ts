import { listFlag, switchFlag, textFlag } from '@orch/program/flags';

const section = 'Flags';

/** Flags that several commands have, with the same names and meaning. */

export const fileFlags = {
  filename: listFlag({
    name: 'filename',
    short: 'f',
    help: 'File, folder, glob pattern or URL with the objects; - is standard input. May be repeated.',
    section,
  }),
  recursive: switchFlag({
    name: 'recursive',
    short: 'R',
    help: 'Read the subfolders of folders, too.',
    section,
  }),
  kustomize: textFlag({
    name: 'kustomize',
    short: 'k',
    help: 'Folder of a kustomization, which an installed kustomize or kubectl builds.',
    section,
  }),
} as const;

/** The label selector of commands that only work on objects of files. */
export const fileSelectorFlag = {
  selector: textFlag({
    name: 'selector',
    short: 'l',
    help: 'Only the objects of the files that match this label selector.',
    section,
  }),
} as const;

export const selectorFlags = {
  selector: textFlag({
    name: 'selector',
    short: 'l',
    help: 'Label selector: a=b, a!=b, a in (b, c), a, !a, separated by commas.',
    section,
  }),
  fieldSelector: textFlag({
    name: 'field-selector',
    help: 'Field selector: metadata.name=x, status.phase!=Running, separated by commas.',
    section,
  }),
} as const;

export const allNamespacesFlag = {
  allNamespaces: switchFlag({
    name: 'all-namespaces',
    short: 'A',
    help: 'Objects of all namespaces; the namespace of the context and --namespace are ignored.',
    section,
  }),
} as const;

export const showManagedFieldsFlag = {
  showManagedFields: switchFlag({
    name: 'show-managed-fields',
    help: 'Keep managed fields when printing objects as JSON or YAML.',
    section,
  }),
} as const;
