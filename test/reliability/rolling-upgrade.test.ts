import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '@orch/testkit';
import { buildCommit } from './rolling/built-commit.ts';
import { checkout, Deployment, obstacle } from './rolling/deployment.ts';
import { EveryObject } from './rolling/every-object.ts';
import { rollingRestart } from './rolling/rolling-restart.ts';

/** `make soak-upgrade` builds the commit of an earlier release, `UPGRADE_FROM`, which takes too long for `make test`. */
const from = process.env['UPGRADE_FROM'] ?? '';
const watches = Number(process.env['ROLLING_WATCHES'] ?? '1000');
const writesPerSecond = Number(process.env['ROLLING_WRITES_PER_SECOND'] ?? '200');

const skip = from === '' ? 'UPGRADE_FROM names no commit' : obstacle();

describe('rolling upgrades from an earlier release and back', { skip, timeout: 900_000 }, () => {
  it('objects of every kind remain as they are, no request fails, and no watch misses or repeats an event', async (t) => {
    using folder = temporaryFolder();
    const earlier = join(folder.path, 'earlier');
    await buildCommit(from, earlier);
    await using deployment = new Deployment({ flags: ['--goaway-chance=0.02'], checkout: earlier });
    await deployment.start();
    using objects = new EveryObject(deployment.access('haproxy'));
    await objects.create();
    const report = await rollingRestart({
      deployment,
      loads: [
        {
          balancer: 'haproxy',
          protocol: 'HTTP/2',
          watches: watches / 2,
          writesPerSecond: writesPerSecond / 2,
        },
        {
          balancer: 'nginx',
          protocol: 'HTTP/1.1',
          watches: watches / 2,
          writesPerSecond: writesPerSecond / 2,
        },
      ],
      watchSeconds: 30,
      settleMs: 2_000,
      checkouts: [checkout, earlier],
      started: () => objects.read(),
      restarted: () => objects.compare(),
    });
    t.diagnostic(JSON.stringify({ objects: objects.count, refused: objects.refused, ...report }));
    assert.ok(objects.count > 40, `${objects.count} objects`);
  });
});
