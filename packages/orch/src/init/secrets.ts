import type { ApiObject, Names } from '@orch/machinery';
import { encodeYaml } from '@orch/machinery/yaml';
import { authorityFiles, fileNames, knownFiles } from './parts.ts';

/** A Secret whose entries have the names of files. */
export interface SecretContent {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

const pair = (file: string): readonly string[] => [`${file}.crt`, `${file}.key`];
const cert = (file: string): string => `${file}.crt`;

/** The files that each program needs, by the suffix of the name of its Secret. */
const audiences: Readonly<Record<string, readonly string[]>> = {
  apiserver: [
    ...pair('apiserver'),
    ...pair('front-proxy-client'),
    ...pair('etcd-client'),
    ...Object.values(authorityFiles).map(cert),
    fileNames.tokenKey,
    fileNames.tokenPublicKeys,
    fileNames.encryption,
  ],
  'controller-manager': [
    ...pair('controller-manager'),
    ...pair(authorityFiles.clients),
    cert(authorityFiles.serving),
    fileNames.managerConfig,
    fileNames.tokenKey,
  ],
  admin: [...pair('admin'), cert(authorityFiles.serving), fileNames.adminConfig],
  etcd: [...pair('etcd'), cert(authorityFiles.etcd)],
};

/** The Secret with all files, which `orch init` reads and writes; no other program needs it. */
export const sourceName = (prefix: string): string => `${prefix}-init`;

/** The Secrets of the programs; each has those of its files that exist. */
export function secretsOf(prefix: string, files: ReadonlyMap<string, string>): readonly SecretContent[] {
  return Object.entries(audiences)
    .map(([audience, names]) => ({
      name: `${prefix}-${audience}`,
      files: new Map([...files].filter(([file]) => names.includes(file))),
    }))
    .filter(({ name, files: own }) => own.size > 0 && (name !== `${prefix}-etcd` || own.has('etcd.key')));
}

const encoded = (files: ReadonlyMap<string, string>): Readonly<Record<string, string>> =>
  Object.fromEntries([...files].map(([file, text]) => [file, Buffer.from(text).toString('base64')]));

export const secretObject = (
  { name, files }: SecretContent,
  metadata: { readonly namespace?: string; readonly resourceVersion?: string },
): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, ...metadata },
  type: 'Opaque',
  data: encoded(files),
});

/** The files in the data of a Secret; entries of other names are ignored. */
export function filesIn(data: Readonly<Record<string, unknown>>, names: Names): ReadonlyMap<string, string> {
  const known = new Set(knownFiles(names));
  return new Map(
    Object.entries(data)
      .filter(([file]) => known.has(file))
      .map(([file, value]) => [file, Buffer.from(String(value), 'base64').toString()]),
  );
}

/** One YAML document for each Secret of a program. */
export const manifestsOf = (
  files: ReadonlyMap<string, string>,
  { prefix, namespace }: { readonly prefix: string; readonly namespace: string },
): string =>
  secretsOf(prefix, files)
    .map((content) => secretObject(content, namespace === '' ? {} : { namespace }))
    .map((object) => `---\n${String(encodeYaml(object))}`)
    .join('');
