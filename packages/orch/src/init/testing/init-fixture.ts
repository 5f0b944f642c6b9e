import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesFor } from '@orch/machinery';
import { asObject } from '@orch/machinery/json';
import { type TestEnv, testEnv } from '@orch/machinery/testing';
import { parseYaml } from '@orch/machinery/yaml';
import { encodePem, pemBlocks } from '@orch/pki/x509';
import { flagValues, splitCommandLine } from '@orch/program';
import { fastestParent } from '@orch/storage/testing';
import type { FileReport } from '../draft.ts';
import { type FileSystem, systemFiles } from '../file-system.ts';
import { initFlags } from '../init-flags.ts';
import { authorityFiles, leafSpecs } from '../parts.ts';
import type { PendingRotation } from '../plan.ts';
import { runInit } from '../run-init.ts';

export interface Report {
  readonly files: readonly FileReport[];
  readonly rotations: readonly PendingRotation[];
  readonly warnings: readonly string[];
}

/** A folder for `orch init`, and a fake clock. */
export class InitFixture implements Disposable {
  readonly #work = mkdtempSync(join(fastestParent(), 'orch-init-'));
  readonly dir = join(this.#work, 'pki');
  readonly env: TestEnv = testEnv();

  /** Runs the command with the folder; returns its report. */
  async run(...argv: readonly string[]): Promise<Report> {
    return this.runWith(systemFiles, ...argv);
  }

  async runWith(files: FileSystem, ...argv: readonly string[]): Promise<Report> {
    const all = [`--dir=${this.dir}`, '--output=json', ...argv];
    const flags = flagValues(initFlags, splitCommandLine(initFlags, all).given);
    let printed = '';
    const print = (text: string): void => {
      printed += text;
    };
    await runInit(flags, { env: this.env, environment: {}, print, files }, new AbortController().signal);
    return JSON.parse(printed) as Report;
  }

  /** All files, hidden ones except the lock included. */
  read(): ReadonlyMap<string, string> {
    const names = readdirSync(this.dir).filter((name) => name !== '.lock');
    return new Map(names.sort().map((name) => [name, readFileSync(join(this.dir, name), 'utf8')]));
  }

  path(file: string): string {
    return join(this.dir, file);
  }

  text(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  [Symbol.dispose](): void {
    rmSync(this.#work, { recursive: true, force: true });
  }
}

/** The files that a run changed, with the action. */
export const changedBy = ({ files }: Report): readonly string[] =>
  files.filter(({ action }) => action !== 'kept').map(({ file, action }) => `${action} ${file}`);

export const certificatesOf = (text: string): readonly string[] =>
  [...pemBlocks(text)].map(({ label, bytes }) => encodePem(label, bytes));

const publicKeyOf = (key: string): string =>
  createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' }).toString();

/** Asserts the invariants of a folder after a run, whatever happened before. */
export function assertConsistent(files: ReadonlyMap<string, string>): void {
  const read = (file: string): string => files.get(file) ?? assert.fail(`${file} is missing`);
  const names = namesFor('orch');
  const hidden = [...files.keys()].filter((file) => file.startsWith('.'));
  assert.deepEqual(hidden, [], 'no draft is left');
  for (const file of ['serving-ca', 'client-ca', 'front-proxy-ca'])
    assert.ok(isPair(read(`${file}.crt`), read(`${file}.key`)), `${file}.crt and its key match`);
  for (const { file, authority } of leafSpecs(names, { apiServer: [], etcd: [] })) {
    const certificate = new X509Certificate(read(`${file}.crt`));
    assert.ok(isPair(read(`${file}.crt`), read(`${file}.key`)), `${file}.crt and its key match`);
    const issuer = new X509Certificate(read(`${authorityFiles[authority]}.crt`));
    assert.ok(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey), `${file} is issued`);
  }
  assert.ok(read('service-account.pub').includes(publicKeyOf(read('service-account.key'))));
  assert.deepEqual(adminConfigOf(read('admin.conf')), {
    authorities: read('serving-ca.crt'),
    cert: read('admin.crt'),
    key: read('admin.key'),
  });
}

const isPair = (cert: string, key: string): boolean =>
  new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));

function adminConfigOf(text: string): Readonly<Record<'authorities' | 'cert' | 'key', string>> {
  const { clusters, users } = asObject(parseYaml(Buffer.from(text))) ?? {};
  const first = (list: unknown, member: string) =>
    asObject(asObject(Array.isArray(list) ? list[0] : undefined)?.[member]) ?? {};
  const decode = (value: unknown): string => Buffer.from(String(value), 'base64').toString();
  const user = first(users, 'user');
  return {
    authorities: decode(first(clusters, 'cluster')['certificate-authority-data']),
    cert: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
  };
}
