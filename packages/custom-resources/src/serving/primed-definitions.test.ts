import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForwardingStore, type KeyRange, type ScanOptions, type ScanPart } from '@orch/storage';
import { crontab, crontabs, GROUP, withCronTabs } from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

/** Records what is read as a whole. */
class RecordingStore extends ForwardingStore {
  readonly scanned: string[] = [];

  override scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<ScanPart> {
    this.scanned.push(range.start);
    return super.scan(range, options, signal);
  }
}

describe('definitions that exist when a server starts', () => {
  it('definitions that exist when a server starts are served from the first load of the cache on, which includes their objects', async () => {
    await using first = await withCronTabs();
    assert.equal((await first.post(crontabs(), crontab('nightly'))).status, 201);
    let store: RecordingStore | undefined;
    await using second = await CustomResourcesFixture.open({
      store: first.model,
      env: first.env,
      primed: true,
      wrap: (inner) => {
        store = new RecordingStore(inner);
        return store;
      },
    });
    const list = await second.get(crontabs());
    assert.equal(list.status, 200, list.text);
    assert.equal(list.json.items.length, 1);
    await second.settled();
    const ofDefinition = (store?.scanned ?? []).filter((start) => start.includes(GROUP));
    assert.deepEqual(ofDefinition, [], `scanned: ${store?.scanned}`);
    assert.ok((store?.scanned.length ?? 0) > 0);
  });
});
