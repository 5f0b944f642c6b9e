import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiFixture } from '../testing/api-fixture.ts';
import {
  bytesAt,
  configMap,
  configMaps,
  describeUnreadableObjects,
  OPTION,
  overwrite,
} from '../testing/unreadable-objects.ts';

describeUnreadableObjects('memory', async () => ({
  options: {},
  [Symbol.asyncDispose]: async () => undefined,
}));

describe('watches and unreadable objects', () => {
  it('a watch delivers the events before an object became unreadable, then an error that names it', async () => {
    await using api = await ApiFixture.open();
    await api.post(configMaps, configMap('bad'));
    await api.settled();
    const { rev } = await bytesAt(api, 'configmaps/default/bad');
    const open = (query: string) => api.watch(`${configMaps}?watch=1&resourceVersion=${rev}&${query}`);
    const [all, selecting, other] = [
      await open(''),
      await open('labelSelector=x%3Dy'),
      await open('fieldSelector=metadata.name%3Dgood'),
    ];
    await api.post(configMaps, configMap('before'));
    await overwrite(api, 'configmaps/default/bad', Buffer.from('{'));
    await Promise.all([all.ended, selecting.ended]);
    assert.deepEqual(
      all.events.map(({ type, object }) => `${type} ${object.metadata?.name ?? object.code}`),
      ['ADDED before', 'ERROR 500'],
    );
    assert.match(selecting.events.at(-1)?.object.message, /configmaps cannot be read: default\/bad \(/);
    await api.post(configMaps, configMap('good'));
    await other.until(1);
    assert.deepEqual(
      other.events.map(({ object }) => object.metadata.name),
      ['good'],
    );
    other.stop();
    await other.ended;
  });

  it('a watch from after the last change of an unreadable object delivers the events of others', async () => {
    await using api = await ApiFixture.open();
    await api.post(configMaps, configMap('bad'));
    await overwrite(api, 'configmaps/default/bad', Buffer.from('{'));
    const { rev } = await bytesAt(api, 'configmaps/default/bad');
    const watching = await api.watch(`${configMaps}?watch=1&resourceVersion=${rev}`);
    await api.post(configMaps, configMap('good'));
    await watching.until(1);
    assert.deepEqual(
      watching.events.map(({ type, object }) => [type, object.metadata.name]),
      [['ADDED', 'good']],
    );
    // Whether a watch selected the object is unknown: it ends when the object is removed, and clients list again.
    assert.equal((await api.delete(`${configMaps}/bad?${OPTION}=true`)).status, 200);
    await watching.ended;
    assert.deepEqual([watching.events.at(-1)?.type, watching.events.at(-1)?.object.code], ['ERROR', 410]);
    const resumed = await api.watch(`${configMaps}?watch=1&resourceVersion=${rev}&labelSelector=x%3Dy`);
    await resumed.ended;
    assert.deepEqual(
      resumed.events.map(({ object }) => object.code),
      [410],
    );
  });

  it('a list at a revision at which an object was unreadable fails, and one of a later revision does not', async () => {
    await using api = await ApiFixture.open();
    await api.post(configMaps, configMap('bad'));
    const { value } = await bytesAt(api, 'configmaps/default/bad');
    await overwrite(api, 'configmaps/default/bad', Buffer.from('{'));
    const { rev } = await bytesAt(api, 'configmaps/default/bad');
    await overwrite(api, 'configmaps/default/bad', value);
    const exact = await api.get(`${configMaps}?resourceVersion=${rev}&resourceVersionMatch=Exact`);
    assert.equal(exact.status, 500, exact.text);
    assert.match(exact.json.message, /default\/bad \(/);
    const watching = await api.watch(`${configMaps}?watch=1&resourceVersion=${rev - 1}`);
    await watching.ended;
    assert.deepEqual(
      watching.events.map(({ object }) => object.code),
      [410],
    );
    assert.equal((await api.get(configMaps)).json.items.length, 1);
  });
});
