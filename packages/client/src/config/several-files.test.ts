import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import { readClientConfig } from './client-config.ts';
import { type Files, files } from './testing/files.ts';
import { load, server, signal } from './testing/load.ts';

describe('several client configuration files', () => {
  const first = encodeYaml({
    contexts: [{ name: 'here', context: { cluster: 'one', user: 'ann' } }],
    users: [{ name: 'ann', user: { tokenFile: 'token' } }],
  }).toString();
  const second = encodeYaml({
    'current-context': 'here',
    contexts: [
      { name: 'here', context: { cluster: 'nowhere', user: 'nobody', namespace: 'never' } },
      { name: 'there', context: { cluster: 'one', user: 'bob', namespace: 'team-b' } },
    ],
    clusters: [{ name: 'one', cluster: { server } }],
    users: [
      { name: 'ann', user: { token: 'never', username: 'never' } },
      { name: 'bob', user: { tokenFile: 'token' } },
    ],
  }).toString();
  const third = encodeYaml({ 'current-context': 'never' }).toString();
  const setup = (): { folder: Files; paths: readonly string[] } => {
    const folder = files({
      'a/config': first,
      'a/token': 'of-a',
      'b/config': second,
      'b/token': 'of-b',
      'c/config': third,
    });
    return { folder, paths: ['a/config', 'missing', 'b/config', 'c/config'].map(folder.path) };
  };

  for (const [what, choice, authorization, namespace] of [
    ['the first entry of a name takes precedence, and entries are not merged', {}, 'Bearer of-a', undefined],
    ['paths are relative to their file', { context: 'there' }, 'Bearer of-b', 'team-b'],
    ['the caller can override the user', { user: 'bob' }, 'Bearer of-b', undefined],
    ['the caller can override the namespace', { context: 'there', namespace: 'x' }, 'Bearer of-b', 'x'],
    [
      'empty overrides have no effect',
      { context: '', user: '', namespace: '', cluster: '' },
      'Bearer of-a',
      undefined,
    ],
  ] as const) {
    it(`client configuration files are merged: ${what}`, async () => {
      const { folder, paths } = setup();
      using _ = folder;
      const settings = await load([...paths, ''], choice);
      assert.deepEqual(
        [settings.server, settings.namespace, (await settings.credentials.current(signal)).headers],
        [server, namespace, { authorization }],
      );
    });
  }

  it('the contexts of client configuration files can be listed', async () => {
    const { folder, paths } = setup();
    using _ = folder;
    const config = await readClientConfig({
      env: { clock: new FakeClock() },
      names: namesFor('orch'),
      files: paths,
      environment: {},
    });
    assert.equal(config.currentContext, 'here');
    assert.deepEqual(config.contexts, [
      { name: 'here', cluster: 'one', user: 'ann', namespace: undefined },
      { name: 'there', cluster: 'one', user: 'bob', namespace: 'team-b' },
    ]);
  });

  it('no context is required when the caller has chosen a cluster', async () => {
    using folder = files({
      config: encodeYaml({ clusters: [{ name: 'one', cluster: { server } }] }).toString(),
    });
    assert.equal((await load([folder.path('config')], { cluster: 'one' })).server, server);
  });

  for (const [choice, problem] of [
    [{ context: 'x' }, /: contexts: there is none named "x"$/],
    [{ cluster: 'x' }, /: clusters: there is none named "x"$/],
    [{ user: 'x' }, /: users: there is none named "x"$/],
  ] as const) {
    it(`the error for a missing choice names all files: ${JSON.stringify(choice)}`, async () => {
      const { folder, paths } = setup();
      using _ = folder;
      await assert.rejects(load(paths, choice), (error: Error) => {
        assert.match(error.message, problem);
        assert.ok(
          error.message.includes(folder.path('a/config')) && error.message.includes(folder.path('c/config')),
        );
        return true;
      });
    });
  }

  it('at least one client configuration file must exist', async () => {
    using folder = files();
    const missing = join(folder.folder, 'missing');
    await assert.rejects(load([missing]), { message: `${missing}: there is no such file` });
    await assert.rejects(load(['', '']), { message: 'no client configuration file is given' });
  });
});
