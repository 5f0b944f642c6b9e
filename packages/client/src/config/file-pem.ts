import { dirname, resolve } from 'node:path';
import { messageOf } from '@orch/machinery';
import type { PemSource } from '../credentials/certificate.ts';
import { decodeBase64 } from '../files/pem.ts';
import { readSmallFile } from '../files/small-file.ts';
import type { Fields } from './fields.ts';

/**
 * Paths in a client configuration file are relative to its folder. The result is absolute: a program next to the file is
 * never searched in `PATH`, and files are found after a change of the working directory.
 */
export const besideFile = ({ place }: Fields, path: string): string => resolve(dirname(place.file), path);

/** The source of PEM from `<name>-data` or `<name>`; the data takes precedence. */
export function pemSource(fields: Fields, name: string): PemSource | undefined {
  const data = fields.text(`${name}-data`);
  if (data !== undefined) return { pem: decodeBase64(data) ?? fields.fail(`${name}-data`, 'is not base64') };
  const path = fields.text(name);
  return path === undefined ? undefined : { path: besideFile(fields, path) };
}

/** The field of a source, for error messages. */
export const fieldOf = (source: PemSource, name: string): string => ('pem' in source ? `${name}-data` : name);

export function readPem(fields: Fields, name: string, source: PemSource): string {
  if ('pem' in source) return source.pem;
  try {
    return readSmallFile(source.path);
  } catch (error) {
    return fields.fail(name, `cannot be read: ${messageOf(error)}`);
  }
}
