import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PublishedField } from '@orch/apis/published-fields';

/** Fields by message, `core.v1.PodSpec`. */
export type Messages = ReadonlyMap<string, readonly PublishedField[]>;

/** The messages that the modules in `folders` publish, with the names that their fields have in JSON. */
export function publishedMessages(
  folders: readonly string[],
  canonicalField: (name: string) => string,
): Messages {
  const messages = new Map<string, readonly PublishedField[]>();
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((one) => one.endsWith('generated.proto'))) {
      const path = join(folder, file);
      const jsonNames = jsonNamesIn(dirname(path));
      for (const [message, fields] of messagesOf(readFileSync(path, 'utf8'), jsonNames))
        messages.set(
          message,
          fields.map((field) => ({ ...field, name: canonicalField(field.name) })),
        );
    }
  }
  return messages;
}

function messagesOf(
  text: string,
  jsonNames: ReadonlyMap<string, string>,
): readonly (readonly [string, readonly PublishedField[]])[] {
  const own = packageOf(/^package (.*);/m.exec(text)?.[1] ?? '');
  return [...text.matchAll(/^message (\w+) \{([\s\S]*?)^\}/gm)].map(([, message = '', body = '']) => [
    `${own}.${message}`,
    [...body.matchAll(/^ {2}(optional|repeated|map<string,) ?([\w.]+)>? (\w+) = (\d+);/gm)].map(
      ([, label = '', type = '', name = '', number = '']): PublishedField => ({
        // Messages that Go declares as another name of a type have no tags.
        name: jsonNames.get(`${message}.${number}`) ?? name,
        number: Number(number),
        type: `${marks[label] ?? ''}${typeName(type, own)}`,
      }),
    ),
  ]);
}

const marks: Readonly<Record<string, string>> = { repeated: '[]', 'map<string,': '{}' };

const typeName = (type: string, own: string): string => {
  if (/^\.?k8s\.io\./.test(type)) return packageOf(type.replace(/^\./, ''));
  return /^[a-z0-9]+$/.test(type) ? type : `${own}.${type}`;
};

/** `k8s.io.api.core.v1` → `core.v1`, `k8s.io.apimachinery.pkg.util.intstr` → `intstr`. */
export const packageOf = (name: string): string =>
  name.replace(/^k8s\.io\.(?:api|\w+\.pkg)\.(?:apis\.|api\.|util\.)?/, '');

/** The names in JSON by message and number: `''` of a field that its parent includes. */
function jsonNamesIn(folder: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const sources = readdirSync(folder).filter((name) => /^(?!.*(generated|_test))\w+\.go$/.test(name));
  for (const source of sources) {
    const text = readFileSync(join(folder, source), 'utf8');
    for (const [, message = '', body = ''] of text.matchAll(/^type (\w+) struct \{([\s\S]*?)^\}/gm)) {
      for (const [, tag = ''] of body.matchAll(/`([^`]*)`$/gm)) {
        const number = /protobuf:"[^"]*?(\d+),/.exec(tag)?.[1];
        const name = /json:"([^",]*)/.exec(tag)?.[1];
        if (number !== undefined && name !== undefined) names.set(`${message}.${number}`, name);
      }
    }
  }
  return names;
}
