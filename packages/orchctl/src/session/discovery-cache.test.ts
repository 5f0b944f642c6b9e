import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DiscoveredResource } from '@orch/client';
import { systemEnv } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import type { Io, TextOutput } from '../io.ts';
import { DiscoveryCache, type KnownServer } from './discovery-cache.ts';

const silent: TextOutput = { columns: undefined, write: () => undefined, drained: async () => undefined };

const resource = (name: string, version: string): DiscoveredResource => ({
  group: 'apps',
  version,
  resource: name,
  kind: name,
  namespaced: true,
  singular: name,
  verbs: ['get', 'list'],
  shortNames: ['x'],
  categories: ['all'],
  subresources: ['status'],
});

const [current, old] = [resource('widgets', 'v1'), resource('widgets', 'v1beta1')];
const known: KnownServer = {
  naming: 'kubernetes',
  snapshot: { all: [current, old], preferred: [current], failed: new Map() },
};

describe('discovery cache', () => {
  let home: string;
  let clock: FakeClock;
  const cacheOf = (server = 'https://one', ca = 'authority'): DiscoveryCache => {
    const io: Io = {
      ...{ out: silent, err: silent, environment: {}, folder: home, homeFolder: home },
      input: (async function* () {})(),
      isInputTerminal: false,
      env: { ...systemEnv(), clock },
    };
    return new DiscoveryCache({ server, ca }, io, { cacheDir: '' });
  };
  const folder = (): string => join(home, '.orch', 'cache', 'discovery');
  const file = (): string => join(folder(), readdirSync(folder())[0] ?? '');

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'orchctl-cache-'));
    clock = new FakeClock();
  });
  afterEach(() => rmSync(home, { recursive: true }));

  it('what was written is read for ten minutes, for the same server and authority only', () => {
    assert.equal(cacheOf().read(), undefined);
    cacheOf().write(known);
    assert.deepEqual(cacheOf().read(), known);
    assert.equal(cacheOf('https://two').read(), undefined);
    assert.equal(cacheOf('https://one', 'another authority').read(), undefined);
    clock.advance(10 * 60_000 - 1);
    assert.deepEqual(cacheOf().read(), known);
    clock.advance(1);
    assert.equal(cacheOf().read(), undefined);
  });

  it('files and folders can be read by their owner only', () => {
    cacheOf().write(known);
    assert.equal(statSync(folder()).mode & 0o777, 0o700);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    assert.equal(readdirSync(folder()).length, 1);
  });

  it('a discovery without the answers of all servers is not kept', () => {
    cacheOf().write({ ...known, snapshot: { ...known.snapshot, failed: new Map([['a/v1', 'no answer']]) } });
    assert.equal(cacheOf().read(), undefined);
  });

  it('a forgotten discovery is not read', () => {
    cacheOf().write(known);
    cacheOf().forget();
    assert.equal(cacheOf().read(), undefined);
    cacheOf().forget();
  });

  it('a file that others can write and a symbolic link are not read', () => {
    cacheOf().write(known);
    const path = file();
    chmodSync(path, 0o622);
    assert.equal(cacheOf().read(), undefined);
    chmodSync(path, 0o600);
    renameSync(path, join(home, 'elsewhere'));
    symlinkSync(join(home, 'elsewhere'), path);
    assert.equal(cacheOf().read(), undefined);
  });

  for (const [title, text] of [
    ['an empty file', ''],
    ['a truncated file', '{"form":1,"naming":"kube'],
    ['a file of another form', '{"form":2,"naming":"kubernetes","all":[],"preferred":[]}'],
    ['a file from the future', '{"form":1,"savedAt":9e15,"naming":"kubernetes","all":[{}],"preferred":[0]}'],
    ['a file without resources', '{"form":1,"savedAt":SAVED,"naming":"kubernetes","all":[],"preferred":[]}'],
    [
      'a file with other values',
      '{"form":1,"savedAt":SAVED,"naming":"kubernetes","all":[1],"preferred":[0]}',
    ],
    ['a file with a wrong position', '{"form":1,"savedAt":SAVED,"naming":"orch","all":[{}],"preferred":[7]}'],
    ['a file of another naming', '{"form":1,"savedAt":SAVED,"naming":"other","all":[{}],"preferred":[0]}'],
  ] as const) {
    it(`${title} counts as missing and is replaced by the next write`, () => {
      cacheOf().write(known);
      writeFileSync(file(), text.replace('SAVED', String(clock.now())));
      assert.equal(cacheOf().read(), undefined);
      cacheOf().write(known);
      assert.deepEqual(cacheOf().read(), known);
    });
  }

  it('a home folder that cannot be written does not fail a command', () => {
    writeFileSync(join(home, '.orch'), 'a file');
    cacheOf().write(known);
    assert.equal(cacheOf().read(), undefined);
  });
});
