import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Service } from './compose-file.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** The entry points of images on this machine, by image; the command of haproxy names its program. */
const entrypoints: readonly (readonly [image: string, entrypoint: readonly string[]])[] = [
  ['orch:', ['/opt/orch/bin/orch-apiserver']],
  ['orch-etcd:', ['etcd']],
  ['prom/prometheus:', ['prometheus']],
  ['grafana/grafana:', ['grafana-server']],
  ['haproxy:', []],
];

/** The program and arguments of a service, as it would run in a container of its image. */
export function commandOf(service: Service): readonly string[] {
  const [, entrypoint] = entrypoints.find(([image]) => service.image.startsWith(image)) ?? [];
  if (entrypoint === undefined) throw new Error(`no program is known for the image ${service.image}`);
  return [...(service.entrypoint.length > 0 ? service.entrypoint : entrypoint), ...service.command];
}

/** The path of a program that is unpacked in this checkout or installed on the machine; undefined where there is none. */
export function programPath(name: string): string | undefined {
  if (name === 'node') return process.execPath;
  if (name.startsWith('/')) return name;
  // Folders of daemons are not in the PATH of every user.
  const folders = [
    join(root, '.tools'),
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
  ];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
