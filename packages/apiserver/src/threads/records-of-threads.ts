import type { RememberedRequests } from '@orch/explanations';
import { joinedUses, type RecordOwner, type RequestRecord, type RequestRecords } from '@orch/pipeline';
import type { UserInfo } from '@orch/request';

type User = Pick<UserInfo, 'name' | 'uid'>;

/** A question about remembered requests, for another thread. */
export type RecordsQuery =
  | { readonly type: 'of'; readonly user: User }
  | { readonly type: 'all' }
  | { readonly type: 'withId'; readonly id: string; readonly owner: RecordOwner }
  | { readonly type: 'deprecated'; readonly owner: RecordOwner };

export type AnswerRecords = (query: RecordsQuery) => readonly RequestRecord[];

/** The records of a thread that answer a question. */
export function recordsFor(records: RequestRecords, query: RecordsQuery): readonly RequestRecord[] {
  switch (query.type) {
    case 'of':
      return records.of(query.user);
    case 'all':
      return records.all();
    case 'withId':
      return records.withId(query.id, query.owner);
    case 'deprecated':
      return records.deprecated(query.owner);
  }
}

/** The requests that all threads of a process remember: a request is remembered by the thread that has handled it. */
export class RecordsOfThreads implements RememberedRequests {
  readonly #own: RequestRecords;
  readonly #others: (query: RecordsQuery) => Promise<readonly RequestRecord[]>;

  constructor(own: RequestRecords, others: (query: RecordsQuery) => Promise<readonly RequestRecord[]>) {
    this.#own = own;
    this.#others = others;
  }

  of(user: User): Promise<readonly RequestRecord[]> {
    return this.#latestFirst({ type: 'of', user });
  }

  all(): Promise<readonly RequestRecord[]> {
    return this.#latestFirst({ type: 'all' });
  }

  withId(id: string, owner: RecordOwner): Promise<readonly RequestRecord[]> {
    return this.#latestFirst({ type: 'withId', id, owner });
  }

  async deprecated(owner: RecordOwner): Promise<readonly RequestRecord[]> {
    return joinedUses(await this.#latestFirst({ type: 'deprecated', owner }));
  }

  async #latestFirst(query: RecordsQuery): Promise<readonly RequestRecord[]> {
    const others = await this.#others(query);
    return [...recordsFor(this.#own, query), ...others].sort((a, b) => b.receivedAt - a.receivedAt);
  }
}
