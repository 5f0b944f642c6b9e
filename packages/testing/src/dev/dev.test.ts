import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient, loadConfig } from '@orch/client';
import { poll } from '@orch/machinery/testing';
import { flagValues, splitCommandLine } from '@orch/program';
import { dev } from './dev.ts';
import { devFlags } from './dev-flags.ts';
import { jsonReport } from './dev-output.ts';

class Terminal extends EventEmitter {
  readonly isTTY = true;
  isRaw = false;
  text = '';
  setRawMode(raw: boolean): void {
    this.isRaw = raw;
  }
  setEncoding(): void {}
  resume(): void {}
  pause(): void {}
  write(text: string): void {
    this.text += text;
  }
}

const definitionOf = (kind: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${kind.toLowerCase()}s.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: ${kind.toLowerCase()}s, kind: ${kind} }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
    - { name: v2, served: true, storage: false, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
`;
const gadget = (version: string): string =>
  `apiVersion: example.com/${version}\nkind: Gadget\nmetadata: { name: a }\n`;
const mapNamed = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n---\n`;
const widget = (name: string): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: ${name} }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;

const DEADLINE_MS = 60_000;

describe('a control plane for people', { timeout: 120_000 }, () => {
  let folder = '';
  const terminal = new Terminal();
  let running: Promise<void>;
  const file = (name: string): string => join(folder, 'manifests', name);
  const printed = (text: string): Promise<boolean> =>
    poll(`printed: ${text}`, DEADLINE_MS, () => terminal.text.includes(text));

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orch-dev-'));
    mkdirSync(join(folder, 'manifests', 'nested'), { recursive: true });
    // The file with the definition is read after those that need it.
    writeFileSync(file('z.yaml'), definitionOf('Widget'));
    writeFileSync(file('nested/widget.yaml'), widget('a'));
    writeFileSync(
      file('wrong.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\ndata: { a: 1 }\n',
    );
    const argv = [
      `--manifests=${join(folder, 'manifests')}`,
      `--admin-config=${join(folder, 'new', 'dev.conf')}`,
    ];
    const values = flagValues(devFlags, splitCommandLine(devFlags, argv).given);
    running = dev(values, { stdin: terminal, stdout: terminal }, new AbortController().signal);
    await Promise.race([printed('Press r'), running]);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const maps = async () => {
    const client = createClient(await loadConfig({ files: [join(folder, 'new', 'dev.conf')] }));
    const maps = client.resource(
      { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true },
      'default',
    );
    const { items } = await maps.list({ fieldSelector: 'metadata.name!=kube-root-ca.crt' });
    return items.map(({ metadata }) => metadata);
  };
  const mapNames = async (): Promise<readonly unknown[]> => (await maps()).map(({ name }) => name);

  it('manifests are applied before the control plane is ready, and mistakes are named with their file', () => {
    const { text } = terminal;
    assert.match(text, /applied z\.yaml: 1 object\n/);
    assert.match(text, /applied nested\/widget\.yaml: 2 objects\n/);
    assert.match(text, /cannot apply wrong\.yaml: .*data\[a\].*must be a string/);
    assert.match(text, /ready at https:\/\/127\.0\.0\.1:\d+\n\n {2}export KUBECONFIG=.*dev\.conf\n/);
    assert.match(text, /\nIn a browser: orchctl console --client-config=.*dev\.conf\n/);
  });

  it('a changed file is applied again, and objects that are in no file any more are deleted', async () => {
    writeFileSync(
      file('wrong.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\ndata: { a: "1" }\n',
    );
    await printed('applied wrong.yaml: 1 object');
    writeFileSync(file('nested/widget.yaml'), widget('c'));
    await printed('deleted v1 ConfigMap default/a');
    await printed('deleted example.com/v1 Widget default/a');
    assert.deepEqual(await mapNames(), ['b', 'c']);
    rmSync(file('wrong.yaml'));
    await printed('deleted v1 ConfigMap default/b');
  });

  it('a definition and its object may be in one file', async () => {
    writeFileSync(file('gadget.yaml'), `${definitionOf('Gadget')}---\n${gadget('v1')}`);
    await printed('applied gadget.yaml: 2 objects');
    rmSync(file('gadget.yaml'));
    await printed('deleted apiextensions.k8s.io/v1 CustomResourceDefinition gadgets.example.com');
  });

  it('an object stays when its file names another version of its kind', async () => {
    writeFileSync(file('definition.yaml'), definitionOf('Gadget'));
    writeFileSync(file('gadget.yaml'), gadget('v1'));
    await printed('applied gadget.yaml: 1 object');
    terminal.text = '';
    writeFileSync(file('gadget.yaml'), gadget('v2'));
    await printed('applied gadget.yaml: 1 object');
    rmSync(file('definition.yaml'));
    rmSync(file('gadget.yaml'));
    await printed('deleted apiextensions.k8s.io/v1 CustomResourceDefinition gadgets.example.com');
    assert.doesNotMatch(terminal.text, /deleted example\.com\/v1 Gadget/);
  });

  it('the objects before a mistake in a file are applied, and are deleted when the file does not have them any more', async () => {
    const wrong = `${mapNamed('wrong')}`.replace('\n---', '\ndata: { a: 1 }\n---');
    writeFileSync(file('several.yaml'), `${mapNamed('d')}${mapNamed('e')}${wrong}${mapNamed('f')}`);
    await printed('(document 3 at line 9 (ConfigMap "wrong")); the 2 objects before it are applied');
    assert.deepEqual(await mapNames(), ['c', 'd', 'e']);
    writeFileSync(file('several.yaml'), mapNamed('e'));
    await printed('deleted v1 ConfigMap default/d');
    assert.deepEqual(await mapNames(), ['c', 'e']);
    writeFileSync(file('several.yaml'), `${mapNamed('e')}${wrong}`);
    await printed('(document 2 at line 5 (ConfigMap "wrong")); the object before it is applied');
    rmSync(file('several.yaml'));
    await printed('deleted v1 ConfigMap default/e');
  });

  it('an object that two files name becomes that of the other file when one is removed, and stays when a file moves', async () => {
    const noted = (note: string): string => mapNamed('shared').replace(' }', `, labels: { note: ${note} } }`);
    writeFileSync(file('one.yaml'), noted('first'));
    await printed('applied one.yaml: 1 object');
    writeFileSync(file('two.yaml'), noted('second'));
    await printed('applied two.yaml: 1 object');
    const notes = async (): Promise<readonly unknown[]> =>
      (await maps()).map(({ labels }) => labels?.['note']);
    assert.deepEqual(await notes(), [undefined, 'second']);
    terminal.text = '';
    rmSync(file('two.yaml'));
    await printed('applied one.yaml: 1 object');
    assert.deepEqual(await notes(), [undefined, 'first']);
    renameSync(file('one.yaml'), file('nested/moved.yaml'));
    await printed('applied nested/moved.yaml: 1 object');
    rmSync(file('nested/moved.yaml'));
    await printed('deleted v1 ConfigMap default/shared');
    assert.equal(terminal.text.match(/deleted/g)?.length, 1, terminal.text);
  });

  it('a folder that is removed and made again is still watched', async () => {
    const away = join(folder, 'away');
    renameSync(join(folder, 'manifests'), away);
    await printed('cannot apply the manifests: ENOENT');
    renameSync(away, join(folder, 'manifests'));
    writeFileSync(file('again.yaml'), mapNamed('again'));
    await printed('applied again.yaml: 1 object');
    rmSync(file('again.yaml'));
    await printed('deleted v1 ConfigMap default/again');
  });

  it('the file of a control plane that runs, and one of another server, are not replaced', async () => {
    const other = join(folder, 'other.conf');
    const text = readFileSync(join(folder, 'new', 'dev.conf'), 'utf8');
    writeFileSync(other, text.replace('127.0.0.1', 'cluster.example.com'));
    writeFileSync(join(folder, 'notes.txt'), 'my notes\n');
    for (const [path, reason] of [
      [join(folder, 'new', 'dev.conf'), /runs at https:\/\/127\.0\.0\.1:\d+: stop it, or name another file$/],
      [other, /is the configuration of https:\/\/cluster\.example\.com:\d+, and is not replaced$/],
      [join(folder, 'notes.txt'), /is no client configuration, and is not replaced$/],
      [join(folder, 'notes.txt', 'dev.conf'), /^StartError: --admin-config: .* cannot be written: /],
    ] as const) {
      const values = flagValues(devFlags, splitCommandLine(devFlags, [`--admin-config=${path}`]).given);
      const host = { stdin: terminal, stdout: terminal };
      await assert.rejects(dev(values, host, new AbortController().signal), (error: Error) => {
        assert.match(String(error), reason);
        return error.name === 'StartError';
      });
    }
    assert.equal(readFileSync(join(folder, 'notes.txt'), 'utf8'), 'my notes\n');
  });

  it('the key r restores the objects of the start and applies the manifests', async () => {
    assert.ok(terminal.isRaw, 'keys are read at once');
    terminal.text = '';
    terminal.emit('data', 'r');
    await printed('applied nested/widget.yaml');
    assert.ok(terminal.text.startsWith('reset all objects'), terminal.text);
    assert.deepEqual(await mapNames(), ['c']);
  });

  it('the key q stops the control plane and gives the terminal back', async () => {
    terminal.emit('data', 'q');
    await running;
    assert.equal(terminal.isRaw, false);
  });

  it('a folder of manifests that is absent is an error before anything starts', async () => {
    const values = flagValues(devFlags, splitCommandLine(devFlags, ['--manifests=/absent']).given);
    await assert.rejects(
      dev(values, { stdin: terminal, stdout: terminal }, new AbortController().signal),
      /--manifests: \/absent must be a folder/,
    );
    assert.equal(existsSync('.orch/dev.conf'), false);
  });

  it('a snapshot that cannot be read is an error about its flag', async () => {
    const values = flagValues(devFlags, splitCommandLine(devFlags, ['--snapshot=/absent']).given);
    await assert.rejects(
      dev(values, { stdin: terminal, stdout: terminal }, new AbortController().signal),
      /^StartError: --snapshot: .*\/absent/,
    );
  });

  it('controllers are chosen by name, and an unknown one is an error before anything starts', async () => {
    const argv = ['--controllers=*,-garbagecollector,-nonsense'];
    const values = flagValues(devFlags, splitCommandLine(devFlags, argv).given);
    await assert.rejects(
      dev(values, { stdin: terminal, stdout: terminal }, new AbortController().signal),
      (error: Error) => error.name === 'UsageError' && error.message.includes('"-nonsense"'),
    );
  });

  it('events are lines of JSON on request', () => {
    const out = new Terminal();
    jsonReport(out)({ event: 'applied', file: 'a.yaml', objects: 2 });
    assert.equal(out.text, '{"event":"applied","file":"a.yaml","objects":2}\n');
  });
});
