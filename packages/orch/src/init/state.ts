import { messageOf, type Naming } from '@orch/machinery';
import { asObject, isJsonObject, parseJson } from '@orch/machinery/json';
import { StartError } from '@orch/program';
import { fileNames, rotationIds } from './parts.ts';
import type { Rotation, RotationStep, Rotations } from './rotation-steps.ts';

export type EncryptionProvider = 'aesgcm' | 'secretbox' | 'none';

/** The inputs of certificates and client configurations. */
export interface InitSettings {
  readonly naming: Naming;
  /** URL of the API server in client configurations. */
  readonly server: string;
  /** Further names and addresses of API servers. */
  readonly san: readonly string[];
  readonly serviceNames: readonly string[];
  readonly serviceClusterIpRange: string;
  readonly etcdSan: readonly string[];
  readonly encryption: EncryptionProvider;
}

/** The record of the folder: later runs use the same settings, and continue rotations. It contains no secret. */
export interface InitState {
  readonly settings: Partial<InitSettings>;
  readonly rotations: Rotations;
}

const VERSION = 1;

export const stateText = ({ settings, rotations }: InitState): string =>
  `${JSON.stringify({ version: VERSION, settings, rotations }, undefined, 2)}\n`;

/** Reads the record; a folder without one has no settings. Throws a `StartError` for a file of another form. */
export function readState(text: string | undefined): InitState {
  if (text === undefined) return { settings: {}, rotations: {} };
  const content = parsed(text);
  if (content['version'] !== VERSION)
    throw unusable(`its version is ${JSON.stringify(content['version'])}, and this program reads ${VERSION}`);
  return {
    settings: settingsIn(asObject(content['settings']) ?? {}),
    rotations: rotationsIn(asObject(content['rotations']) ?? {}),
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  let content: unknown;
  try {
    content = parseJson(Buffer.from(text));
  } catch (error) {
    throw unusable(messageOf(error));
  }
  if (!isJsonObject(content)) throw unusable('it contains no object');
  return content;
}

const unusable = (why: string): StartError =>
  new StartError(`${fileNames.state} cannot be read: ${why}; restore it from a backup`);

function settingsIn(given: Readonly<Record<string, unknown>>): Partial<InitSettings> {
  const settings: Record<string, unknown> = {};
  const isTexts = (value: unknown): boolean =>
    Array.isArray(value) && value.every((one) => typeof one === 'string');
  for (const key of ['san', 'serviceNames', 'etcdSan'])
    if (key in given) settings[key] = checked(key, given[key], isTexts(given[key]));
  for (const key of ['server', 'serviceClusterIpRange'])
    if (key in given) settings[key] = checked(key, given[key], typeof given[key] === 'string');
  const choices = { naming: ['orch', 'kubernetes'], encryption: ['aesgcm', 'secretbox', 'none'] };
  for (const [key, allowed] of Object.entries(choices))
    if (key in given) settings[key] = checked(key, given[key], allowed.includes(String(given[key])));
  return settings;
}

function checked(key: string, value: unknown, isGood: boolean): unknown {
  if (!isGood) throw unusable(`settings.${key} is invalid`);
  return value;
}

function rotationsIn(given: Readonly<Record<string, unknown>>): Rotations {
  const found: Partial<Record<string, Rotation>> = {};
  for (const [id, value] of Object.entries(given)) {
    const { step, since, replaces } = asObject(value) ?? {};
    if (!rotationIds.some((known) => known === id)) throw unusable(`rotations.${id} is unknown`);
    if (!isStep(step) || Number.isNaN(Date.parse(String(since))) || typeof replaces !== 'string')
      throw unusable(`rotations.${id} is invalid`);
    found[id] = { step, since: String(since), replaces };
  }
  return found;
}

const isStep = (value: unknown): value is RotationStep => value === 'prepared' || value === 'switched';
