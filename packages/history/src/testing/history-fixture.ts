import { ApiFixture, type ApiFixtureOptions } from '@orch/server/testing';
import { History } from '../history.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;

export interface HistoryFixtureOptions extends ApiFixtureOptions {
  readonly isEncrypted?: (key: string) => boolean;
  readonly maxBytes?: number;
  readonly areComparable?: (key: string, other: string) => boolean;
}

/** The API in process with a history of a day. */
export function withHistory(options: HistoryFixtureOptions = {}): Promise<ApiFixture> {
  let history: History | undefined;
  return ApiFixture.open({
    ...options,
    fieldHistoryOf: (parts) => history?.fieldWrites(parts),
    historyOf: (parts) => {
      history = new History({
        ...parts,
        storePrefix: '/registry/',
        retentionMs: DAY_MS,
        maxBytes: options.maxBytes ?? 64 * 1024 * 1024,
        isEncrypted: options.isEncrypted ?? (() => false),
        areComparable: options.areComparable ?? (() => true),
      });
      return history;
    },
  });
}

/** A change as it is served. */
export interface Listed {
  readonly name: string;
  readonly revision: string;
  readonly previousRevision?: string;
  readonly change: string;
  readonly [field: string]: unknown;
}

/** The changes below a path, the newest first. */
export async function changesOf(api: ApiFixture, path: string, query = ''): Promise<readonly Listed[]> {
  const { status, json, text } = await api.get(`/history${path}${query === '' ? '' : `?${query}`}`);
  if (status !== 200) throw new Error(text);
  return json.changes;
}
