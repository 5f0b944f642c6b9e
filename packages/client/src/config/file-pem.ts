import { dirname, resolve } from 'node:path';
import { messageOf } from '@orch/machinery';
import type { PemSource } from '../credentials/certificate.ts';
import type { Members } from './members.ts';
import { decodeBase64 } from './pem.ts';
import { readSmallFile } from './small-file.ts';

/**
 * Paths of a client configuration file are meant from the folder that it is in. The answer is absolute: a program that
 * lies beside the file is never looked for in `PATH`, and files are found again when the process works elsewhere.
 */
export const besideFile = ({ place }: Members, path: string): string => resolve(dirname(place.file), path);

/** Where the PEM of `<name>-data` or `<name>` comes from: the data when both are there. */
export function pemSource(members: Members, name: string): PemSource | undefined {
  const data = members.text(`${name}-data`);
  if (data !== undefined) return { pem: decodeBase64(data) ?? members.fail(`${name}-data`, 'is not base64') };
  const path = members.text(name);
  return path === undefined ? undefined : { path: besideFile(members, path) };
}

/** The member that a source came from, for what is to be said about it. */
export const memberOf = (source: PemSource, name: string): string =>
  'pem' in source ? `${name}-data` : name;

export function readPem(members: Members, name: string, source: PemSource): string {
  if ('pem' in source) return source.pem;
  try {
    return readSmallFile(source.path);
  } catch (error) {
    return members.fail(name, `cannot be read: ${messageOf(error)}`);
  }
}
