import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindCommands, offered } from './commands.ts';

const kind = (resource: string, kind: string, shortNames: readonly string[], verbs = ['list']) => ({
  ...{ group: '', version: 'v1', resource, kind, singular: '', namespaced: true, verbs, shortNames },
  ...{ categories: [], subresources: [] },
});

const commands = [
  { title: 'Permissions', words: '', word: '~access' },
  ...kindCommands(
    [
      kind('persistentvolumes', 'PersistentVolume', ['pv']),
      kind('pods', 'Pod', ['po']),
      kind('podtemplates', 'PodTemplate', []),
      kind('bindings', 'Binding', [], ['create']),
    ],
    ({ resource }) => resource,
  ),
];

describe('the commands of the palette', () => {
  for (const [text, titles] of [
    ['po', ['pods', 'podtemplates']],
    ['pv', ['persistentvolumes']],
    ['perm', ['Permissions']],
    ['VOLUME pers', ['persistentvolumes']],
    ['pod', ['pods', 'podtemplates']],
    ['bindings', []],
    ['nothing', []],
  ] as const)
    it(`the text ${text} offers ${titles.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(
        offered(commands, text).map(({ title }) => title),
        titles,
      ));
});
