import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
`;
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

  const mapNames = async (): Promise<readonly unknown[]> => {
    const client = createClient(await loadConfig({ files: [join(folder, 'new', 'dev.conf')] }));
    const maps = client.resource(
      { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true },
      'default',
    );
    const { items } = await maps.list({ fieldSelector: 'metadata.name!=kube-root-ca.crt' });
    return items.map(({ metadata }) => metadata.name);
  };

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
    const object = 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: { name: a }\n';
    writeFileSync(file('gadget.yaml'), `${definitionOf('Gadget')}---\n${object}`);
    await printed('applied gadget.yaml: 2 objects');
    rmSync(file('gadget.yaml'));
    await printed('deleted apiextensions.k8s.io/v1 CustomResourceDefinition gadgets.example.com');
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
