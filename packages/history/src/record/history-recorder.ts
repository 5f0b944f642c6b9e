import type { Clock, Names } from '@orch/machinery';
import {
  type ChangeRecorder,
  cacheNameOf,
  managerOf,
  type RecordedChange,
  type ServedResource,
} from '@orch/registry';
import { historyPrefixOf, type SideWrite } from '@orch/storage';
import { type ChangeKind, encodeChangeKey } from './change-key.ts';
import { type ChangeFacts, encodeChange, type LeftOut } from './change-value.ts';

export interface HistoryRecorderOptions {
  /** Prefix of the keys of objects. */
  readonly storePrefix: string;
  readonly names: Names;
  readonly clock: Pick<Clock, 'now'>;
  /** Reports whether a value with this key would be encrypted now. */
  readonly isEncrypted: (key: string) => boolean;
}

/** The reason why the changes of a resource are not recorded; undefined for those that are. */
export type Exclusion = 'expires' | 'lease' | 'credentials';

/** Maximum size of all values of one transaction, as far as etcd accepts them by default, minus room for keys. */
const TRANSACTION_BYTES = 1_400_000;

/** Records every write of an object in its transaction: the state that it replaces, and its author. */
export class HistoryRecorder implements ChangeRecorder {
  readonly #options: HistoryRecorderOptions;
  readonly #prefix: string;
  #bytes = 0;

  constructor(options: HistoryRecorderOptions) {
    this.#options = options;
    this.#prefix = historyPrefixOf(options.storePrefix);
  }

  /** Bytes of all changes that were recorded, or attempted to be. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The common prefix of the keys of the changes of a resource, with a slash at the end. */
  prefixOf(resource: Pick<ServedResource, 'type'>): string {
    return `${this.#prefix}${cacheNameOf(resource.type)}/`;
  }

  /** Objects that expire are records themselves, and Leases are renewed continuously. */
  exclusionOf({ type, schema }: Pick<ServedResource, 'type' | 'schema'>): Exclusion | undefined {
    if (type.strategy.expires === true) return 'expires';
    if (type.resource === 'leases' && type.group === 'coordination') return 'lease';
    const isSecret = schema.holdsCredentials === true;
    return isSecret && !this.#options.isEncrypted(`${this.prefixOf({ type })}x`) ? 'credentials' : undefined;
  }

  sidesOf(change: RecordedChange): readonly SideWrite[] | undefined {
    const { resource, key, old, next } = change;
    if (this.exclusionOf(resource) !== undefined) return undefined;
    const kind: ChangeKind = old === undefined ? 'created' : next === undefined ? 'deleted' : 'updated';
    const place = `${this.prefixOf(resource)}${key}/`;
    const room = TRANSACTION_BYTES - (next?.bytes ?? 0);
    const value = encodeChange(this.#factsOf(change), stateOf(old), room);
    const bytes = place.length + value.length;
    this.#bytes += bytes;
    const timeMs = this.#options.clock.now();
    const own = encodeChangeKey({ base: old?.rev ?? 0, timeMs, bytes, kind }, next?.uid ?? '');
    return [{ key: place + own, value }];
  }

  #factsOf({ user, trace, old, next }: RecordedChange): ChangeFacts {
    const source = trace?.source;
    return {
      verb: source?.info.verb ?? '',
      subresource: source?.info.subresource ?? '',
      user: user.name,
      impersonator: trace?.impersonated === undefined ? '' : trace.user,
      manager: source === undefined ? this.#options.names.programs.apiserver : managerOf(source.request),
      uid: old === undefined ? (next?.uid ?? '') : '',
    };
  }
}

const stateOf = (old: RecordedChange['old']): { readonly json: Buffer } | LeftOut | undefined =>
  old?.isPlaceholder === true ? 'unreadable' : old;
