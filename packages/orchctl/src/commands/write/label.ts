import { changeKeys } from './change-keys.ts';

export const label = changeKeys(
  { verb: 'label', field: 'labels', done: 'labeled', undone: 'unlabeled' },
  {
    usage: 'label (TYPE NAME... | TYPE/NAME... | -f FILE) KEY=VALUE... KEY-... [flags]',
    about:
      'Sets and removes labels of objects. KEY- removes a label. A label that exists is replaced only with --overwrite.',
    examples: [
      { comment: 'Set a label', line: 'orchctl label pod web tier=front' },
      { comment: 'Replace one and remove another', line: 'orchctl label pod web tier=back app- --overwrite' },
    ],
  },
);
