import { type Revision, StoreError } from '../../../store.ts';
import { EtcdClient } from '../../client/etcd-client.ts';
import { isAmbiguous } from '../../client/etcd-error.ts';
import { CommitResolver } from '../../commit/commit-resolution.ts';
import { StreamTable } from '../../http2/stream-table.ts';
import { encodeWatchCreate } from '../../proto/watch.ts';
import { ProtoWriter } from '../../proto/writer.ts';
import { UnaryCall } from '../../rpc/unary-call.ts';
import { WatchAssembler } from '../../watch/watch-assembler.ts';
import { readWatchCreate } from './etcd-messages.ts';

/** Plants a defect into the client; the returned function removes it. */
type Plant = () => () => void;

/** Replaces a method of a class. */
function replacing<T extends object, K extends keyof T & string>(
  prototype: T,
  name: K,
  replace: (original: T[K]) => T[K],
): Plant {
  return () => {
    const original = prototype[name];
    prototype[name] = replace(original);
    return () => {
      prototype[name] = original;
    };
  };
}

/** The first revision of a watch is another one. */
const watchingFrom = (change: (start: Revision) => Revision): Plant =>
  replacing(
    EtcdClient.prototype,
    'watch',
    (original) =>
      function (this: EtcdClient, options, handler) {
        const request = new ProtoWriter();
        request.reset();
        options.first(request);
        const create = readWatchCreate(request.finish());
        if (create === undefined) return original.call(this, options, handler);
        const { key, end: rangeEnd, start } = create;
        const changed = { key, rangeEnd, startRevision: change(start) };
        return original.call(
          this,
          { ...options, first: (writer) => encodeWatchCreate(writer, changed) },
          handler,
        );
      },
  );

/** Reads that the connected member answers alone. */
const alone = (name: 'range' | 'hedgedRange'): Plant =>
  replacing(
    EtcdClient.prototype,
    name,
    (original) =>
      function (this: EtcdClient, request, options) {
        return original.call(this, { ...request, serializable: true }, options);
      },
  );

/** Defects of the client that the simulation must find, by what they do. */
export const plantedClientDefects: Readonly<Record<string, Plant>> = {
  'sends a commit again when its outcome is unknown': replacing(
    EtcdClient.prototype,
    'compareAndSwap',
    (original) =>
      async function (this: EtcdClient, request, options) {
        try {
          return await original.call(this, request, options);
        } catch (error) {
          if (!isAmbiguous(error)) throw error;
          return original.call(this, request, options);
        }
      },
  ),
  'takes the loss of an answer for a failure': replacing(
    CommitResolver.prototype,
    'resolve',
    () => async () => {
      throw new StoreError('unavailable', 'the answer was lost');
    },
  ),
  'takes the loss of an answer for a success': replacing(
    CommitResolver.prototype,
    'resolve',
    () => async (doubt) => ({ ok: true, rev: doubt.mark.revision + 1 }),
  ),
  'sends calls to another member that were sent completely': replacing(
    UnaryCall.prototype as UnaryCall<unknown, unknown>,
    'end',
    (original) =>
      function (this: UnaryCall<unknown, unknown>, end) {
        original.call(this, end.kind === 'lost' ? { ...end, delivery: 'unsent' } : end);
      },
  ),
  'ignores the deadlines of calls': replacing(
    UnaryCall.prototype as UnaryCall<unknown, unknown>,
    'expire',
    () => () => undefined,
  ),
  'takes the answer of a cancelled call for that of another one': replacing(
    StreamTable.prototype,
    'get',
    (original) =>
      function (this: StreamTable, id) {
        return original.call(this, id) ?? this.all().at(-1);
      },
  ),
  'resumes watches one revision too late': watchingFrom((start) => start + 1),
  'delivers a part of a revision': replacing(
    WatchAssembler.prototype,
    'add',
    (original) =>
      function (this: WatchAssembler, response) {
        original.call(this, { ...response, fragment: false });
      },
  ),
  'reads what one member knows': alone('hedgedRange'),
};
