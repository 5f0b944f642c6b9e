import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiObject, yamlObjects } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { manifestTexts } from './manifest-texts.ts';

/** An object, or the path of a YAML or JSON file, or of a folder of such files. */
export type Manifest = ApiObject | string;

/** The objects of manifests, in order; of those in files, only such of some kinds. Rejects with an `Error` that names the file, and with errors of the file system. */
export async function readManifests(
  manifests: readonly Manifest[],
  kinds = /(?:)/,
): Promise<readonly ApiObject[]> {
  const all: ApiObject[] = [];
  for (const one of manifests)
    if (typeof one !== 'string') all.push(one);
    else
      for (const [file, text] of filesOf(one))
        all.push(...(await objectsIn(file, text)).filter(({ kind = '' }) => kinds.test(kind)));
  return all;
}

function filesOf(path: string): readonly (readonly [file: string, text: string])[] {
  if (!statSync(path).isDirectory()) return [[path, readFileSync(path, 'utf8')]];
  return [...manifestTexts(path)].map(([name, text]) => [join(path, name), text]);
}

async function objectsIn(file: string, text: string): Promise<readonly ApiObject[]> {
  try {
    return await yamlObjects(text);
  } catch (cause) {
    throw new Error(`${file}: ${messageOf(cause)}`, { cause });
  }
}
