import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageOf } from './proto-files.ts';

/** Values by the field of a message: `core.v1.Container.imagePullPolicy`. */
export type Enumerations = ReadonlyMap<string, readonly string[]>;

/** The values that the OpenAPI documents of a release list, read from its source in `folder`. */
export function publishedEnumerations(folder: string): Enumerations {
  const text = readFileSync(join(folder, 'pkg', 'generated', 'openapi', 'zz_generated.openapi.go'), 'utf8');
  const messages = messagesByFunction(text);
  const found = new Map<string, readonly string[]>();
  let message: string | undefined;
  let field = '';
  for (const line of text.split('\n')) {
    const [, called] = /^func (schema_\w+)\(/.exec(line) ?? [];
    if (called !== undefined) message = messages.get(called);
    field = /^\t{5}"(.+)": \{$/.exec(line)?.[1] ?? field;
    const [, values] = /^\t+Enum: +\[\]interface\{\}\{(.*)\},$/.exec(line) ?? [];
    if (message === undefined || values === undefined) continue;
    // Two constants of one value are listed twice.
    const distinct = new Set([...values.matchAll(/"([^"]*)"/g)].map(([, value = '']) => value));
    found.set(`${message}.${field}`, [...distinct]);
  }
  return found;
}

/** The message that each function describes. */
function messagesByFunction(text: string): ReadonlyMap<string, string> {
  const imports = new Map(
    [...text.matchAll(/^\t(\w+) +"(k8s\.io\/.*)"$/gm)].map(([, alias = '', path = '']) => [alias, path]),
  );
  const entries = [...text.matchAll(/^\t\t(\S+): +(schema_\w+)\(ref\),/gm)];
  return new Map(
    entries.map(([, key = '', called = '']) => {
      const [, alias = '', message = ''] = /^(\w+)\.(\w+)\{\}\.OpenAPIModelName\(\)$/.exec(key) ?? [];
      const path = imports.get(alias);
      const name = path === undefined ? key.replaceAll('"', '') : `${path}.${message}`;
      return [called, packageOf(name.replaceAll('/', '.').replace(/\.([\w-]+)-(\w+)\.pkg/, '.$2.pkg'))];
    }),
  );
}
