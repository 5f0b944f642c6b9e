import { changeKeys } from './change-keys.ts';

export const annotate = changeKeys(
  { verb: 'annotation', field: 'annotations', done: 'annotated', undone: 'annotated' },
  {
    usage: 'annotate (TYPE NAME... | TYPE/NAME... | -f FILE) KEY=VALUE... KEY-... [flags]',
    about:
      'Sets and removes annotations of objects. KEY- removes an annotation. An annotation that exists is replaced only with --overwrite.',
    examples: [
      { comment: 'Set an annotation', line: "orchctl annotate pod web note='see the runbook'" },
      { comment: 'Remove it', line: 'orchctl annotate pod web note-' },
    ],
  },
);
