/**
 * Writes the table of the fields that releases publish, with the values that they list for them. A test compares the
 * declarations of kinds with it. Go downloads the modules that hold the types. To be run for a new release, or a new module of
 * one.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  enumerationText,
  type PublishedField,
  publishedFields,
  publishedFieldsFile,
  rootsAt,
  textOf,
} from '@orch/apis/published-fields';
import { namesFor } from '@orch/machinery';
import { run } from '@orch/testkit';
import { publishedEnumerations } from './published-fields/enumerations.ts';
import { type Messages, publishedMessages } from './published-fields/proto-files.ts';

const DOWNLOAD_MS = 10 * 60_000;
const modules = ['api', 'apimachinery', 'apiextensions-apiserver', 'kube-aggregator'];
/** The module with the definitions of the documents. */
const programs = 'kubernetes';
/** Its version in releases of which proxies do not have that of the other modules. */
const programVersions: Readonly<Record<string, string>> = { '1.35': '1.35.6' };
const names = namesFor('kubernetes');

const { modules: versions } = publishedFields();
const types = new Map<string, Map<string, readonly PublishedField[]>>();
const enumerations = new Map<string, Map<string, string>>();
for (const [release, version] of Object.entries(versions)) {
  const messages = publishedMessages(await downloaded(modules, version), names.canonicalField);
  const [folder = ''] = await downloaded([programs], programVersions[release] ?? version.replace(/^0/, '1'));
  for (const [field, values] of publishedEnumerations(folder)) {
    const byRelease = enumerations.get(field) ?? new Map<string, string>();
    enumerations.set(field, byRelease.set(release, values.join('|')));
  }
  for (const type of reached(
    messages,
    rootsAt(release).map(({ type }) => type),
  )) {
    const byRelease = types.get(type) ?? new Map<string, readonly PublishedField[]>();
    types.set(type, byRelease.set(release, messages.get(type) ?? []));
  }
}
const texts = [...types].map(([type, byRelease]) => [type, textOf(byRelease)] as const);
const lists = [...enumerations].map(([field, byRelease]) => [field, enumerationText(byRelease)] as const);
const table = {
  modules: versions,
  types: sorted(texts),
  enumerations: sorted(lists.filter(([field]) => types.has(field.slice(0, field.lastIndexOf('.'))))),
};
writeFileSync(publishedFieldsFile, `${JSON.stringify(table, undefined, 2)}\n`);

function sorted(entries: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The types that the given ones consist of, with themselves, as far as they are published. */
function reached(messages: Messages, roots: readonly string[]): ReadonlySet<string> {
  const types = new Set<string>();
  const pending = [...roots];
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    const fields = messages.get(type);
    if (fields === undefined || types.has(type)) continue;
    types.add(type);
    pending.push(...fields.map((field) => field.type.replace(/^(\[\]|\{\})/, '')));
  }
  return types;
}

/** The folders of the modules of a version, which Go downloads at the first use. */
async function downloaded(modules: readonly string[], version: string): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'orch-fields-'));
  try {
    writeFileSync(join(cwd, 'go.mod'), 'module fields\n');
    const folders: string[] = [];
    for (const module of modules) {
      const args = ['mod', 'download', '-json', `k8s.io/${module}@v${version}`];
      const { code, stdout, stderr } = await run('go', args, { cwd, timeoutMs: DOWNLOAD_MS });
      if (code !== 0) throw new Error(`go ${args.join(' ')} failed: ${stderr}`);
      folders.push((JSON.parse(stdout) as { readonly Dir: string }).Dir);
    }
    return folders;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
