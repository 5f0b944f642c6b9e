import type { kinds } from '@orch/client';
import type { Names } from '@orch/machinery';
import { encodeJson, isJsonObject, parseJson } from '@orch/machinery/json';

export type Migration = kinds.storagemigration.StorageVersionMigration;

/** `widgets.example.com`; resources of the core group have no suffix. */
export function resourceName({ spec }: Migration): string {
  const { group = '', resource = '' } = spec?.resource ?? {};
  return group === '' ? resource : `${resource}.${group}`;
}

/** A definition of custom resources at the time when the migration of its objects began. */
export interface DefinitionState {
  readonly uid: string;
  /** Changes with every change of the spec. */
  readonly generation: number;
  readonly storageVersion: string;
}

/** Progress of a migration, besides its position in the list. */
export interface Progress {
  /** Objects that were examined. */
  readonly examined: number;
  /** How many of them were stored again. */
  readonly stored: number;
  /** How many of them the server refused to store, and the reasons for the first ones. */
  readonly refused: number;
  readonly refusals: readonly string[];
  /** Absent for resources without a definition. */
  readonly definition?: DefinitionState;
}

export const noProgress: Progress = { examined: 0, stored: 0, refused: 0, refusals: [] };

/** The annotations that record progress and position. The server lets only `/status` write them. */
export const progressAnnotations = (
  names: Names,
  progress: Progress,
  token: string | undefined,
): Readonly<Record<string, string | null>> => ({
  [names.annotations.migrationProgress]: encodeJson(progress).toString(),
  [names.annotations.migrationContinueToken]: token ?? null,
});

export const continueTokenOf = ({ metadata }: Migration, names: Names): string | undefined =>
  metadata.annotations?.[names.annotations.migrationContinueToken];

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The recorded progress; none where the annotation is missing or has another form. */
export function progressOf({ metadata }: Migration, names: Names): Progress {
  const text = metadata.annotations?.[names.annotations.migrationProgress];
  const value = text === undefined ? undefined : parsed(text);
  if (!isJsonObject(value)) return noProgress;
  const { examined, stored, refused, refusals, definition } = value;
  if (!isCount(examined) || !isCount(stored) || !isCount(refused) || !Array.isArray(refusals))
    return noProgress;
  const state = definitionIn(definition);
  return {
    examined,
    stored,
    refused,
    refusals: refusals.map(String),
    ...(state === undefined ? {} : { definition: state }),
  };
}

function parsed(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    return undefined;
  }
}

function definitionIn(value: unknown): DefinitionState | undefined {
  if (!isJsonObject(value)) return undefined;
  const { uid, generation, storageVersion } = value;
  if (typeof uid !== 'string' || !isCount(generation) || typeof storageVersion !== 'string') return undefined;
  return { uid, generation, storageVersion };
}

/** Progress in words, for conditions. */
export function describeProgress({ examined, stored, refused, refusals }: Progress): string {
  const counted = `${examined} objects examined, ${stored} of them stored again`;
  return refused === 0
    ? counted
    : `${counted}; the server refused to store ${refused}: ${refusals.join('; ')}${refused > refusals.length ? '; …' : ''}`;
}
