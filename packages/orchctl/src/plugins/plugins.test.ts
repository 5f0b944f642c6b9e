import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommandLine } from '../testing/index.ts';
import { findPlugin, pluginsOn } from './find-plugins.ts';

describe('plugins on the path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-plugins-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const path = [first, second].join(delimiter);
  after(() => rmSync(folder, { recursive: true }));

  const script = (place: string, name: string, mode = 0o755): void =>
    writeFileSync(
      join(place, name),
      `#!/bin/sh\necho "$0 $*" > ${folder}/called\npwd >> ${folder}/called\nexit 7\n`,
      {
        mode,
      },
    );

  before(() => {
    for (const one of [first, second]) mkdirSync(one);
    script(first, 'orchctl-tree');
    script(second, 'orchctl-tree');
    script(second, 'orchctl-tree-view');
    script(second, 'orchctl-view_secret');
    script(second, 'orchctl-get');
    script(second, 'orchctl-off', 0o644);
    mkdirSync(join(second, 'orchctl-folder'));
  });

  const found = (...argv: readonly string[]): readonly unknown[] => {
    const plugin = findPlugin(path, argv);
    return plugin === undefined ? [] : [plugin.plugin.path, ...plugin.argv];
  };

  it('the longest name that the first words make is chosen, and the first folder of the path', () => {
    assert.deepEqual(found('tree', 'a'), [join(first, 'orchctl-tree'), 'a']);
    assert.deepEqual(found('tree', 'view', 'a', '--b'), [join(second, 'orchctl-tree-view'), 'a', '--b']);
    assert.deepEqual(found('tree', '--b', 'view'), [join(first, 'orchctl-tree'), '--b', 'view']);
    assert.deepEqual(found('view-secret'), [join(second, 'orchctl-view_secret')]);
  });

  it('folders and files that are not executable are not plugins', () => {
    assert.deepEqual(found('folder'), []);
    assert.deepEqual(found('off'), []);
    assert.deepEqual(found('missing'), []);
  });

  it('a word with a separator never names a program, and relative folders of the path are not searched', () => {
    assert.equal(findPlugin(path, ['../first/orchctl-tree']), undefined);
    assert.equal(findPlugin(path, ['x/../tree']), undefined);
    assert.equal(findPlugin(['', '.', 'first', '../first'].join(delimiter), ['tree']), undefined);
    assert.deepEqual(pluginsOn(['', '.', 'first'].join(delimiter)), []);
  });

  it('a plugin gets the arguments and the folder, and its exit status is that of the command', async () => {
    const { status, err } = await runCommandLine(['tree', 'view', '--help', 'x y'], {
      environment: { PATH: `${path}${delimiter}${process.env['PATH']}` },
      folder,
    });
    assert.deepEqual([status, err], [7, '']);
    const called = readFileSync(join(folder, 'called'), 'utf8');
    assert.equal(called, `${join(second, 'orchctl-tree-view')} --help x y\n${folder}\n`);
  });

  it('a plugin never replaces a command', async () => {
    const { status, out } = await runCommandLine(['get', '--help'], { environment: { PATH: path } });
    assert.equal(status, 0);
    assert.match(out, /^Usage: orchctl get/);
  });

  it('plugin list prints plugins, and warns of those that are never run', async () => {
    const { status, out, err } = await runCommandLine(['plugin', 'list', '--name-only'], {
      environment: { PATH: path },
    });
    assert.equal(status, 1);
    assert.deepEqual(out.trimEnd().split('\n').slice(2), [
      'orchctl-tree',
      'orchctl-get',
      'orchctl-off',
      'orchctl-tree',
      'orchctl-tree-view',
      'orchctl-view_secret',
    ]);
    assert.deepEqual(err.trimEnd().split('\n'), [
      '  - warning: orchctl-get overwrites existing command: "orchctl get"',
      `  - warning: ${join(second, 'orchctl-off')} identified as an orchctl plugin, but it is not executable`,
      `  - warning: ${join(second, 'orchctl-tree')} is overshadowed by a similarly named plugin: ${join(first, 'orchctl-tree')}`,
      'error: 3 plugin warnings were found',
    ]);
  });

  it('without plugins, plugin list fails and says how they are named', async () => {
    const { status, err } = await runCommandLine(['plugin', 'list'], { environment: { PATH: folder } });
    assert.equal(status, 1);
    assert.match(err, /^error: unable to find any orchctl plugins in your PATH/);
  });

  it('the names of plugins are completed', async () => {
    const { out } = await runCommandLine(['__complete', '--', 'tre'], { environment: { PATH: path } });
    assert.match(out, /^tree\t/);
  });
});
