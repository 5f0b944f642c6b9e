import type { ResourceClient } from '@orch/client';
import { ApiError, type ApiObject } from '@orch/machinery';

/**
 * The states of one object, from the current one on; undefined where it does not exist. A watch that ends is resumed, and one
 * that cannot be resumed starts again with the current state.
 */
export async function* watchedObject(
  client: ResourceClient,
  name: string,
  signals: { readonly first: AbortSignal; readonly next: AbortSignal },
): AsyncGenerator<ApiObject | undefined> {
  const fieldSelector = `metadata.name=${name}`;
  let signal = signals.first;
  for (;;) {
    const { items, metadata } = await client.list({ fieldSelector }, signal);
    signal = signals.next;
    yield items[0];
    try {
      const options = { fieldSelector, resourceVersion: metadata.resourceVersion };
      for await (const { type, object } of client.watch(options, signal)) {
        if (type !== 'BOOKMARK') yield type === 'DELETED' ? undefined : object;
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status.code !== 410) throw error;
    }
  }
}
