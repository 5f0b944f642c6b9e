import { after, before, describe } from 'node:test';
import { namesFor } from '@orch/machinery';
import { startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { describeApply } from './describe-apply.ts';
import { describeReads } from './describe-reads.ts';
import { describeSubresources } from './describe-subresources.ts';
import { describeValidation } from './describe-validation.ts';
import { describeWatches } from './describe-watches.ts';
import { describeWrites } from './describe-writes.ts';
import { establishKinds } from './establish-kinds.ts';
import { Tested } from './tested.ts';
import { testedKinds } from './tested-kinds.ts';

for (const [backend, naming] of [
  ['embedded', 'kubernetes'],
  ['etcd', 'orch'],
] as const) {
  describe(`custom and built-in kinds, ${naming} names, on ${backend}`, {
    timeout: 120_000,
    concurrency: true,
  }, () => {
    const names = namesFor(naming);
    let etcd: Awaited<ReturnType<typeof startEtcd>> | undefined;
    let server: LaunchedServer;
    before(async () => {
      etcd = backend === 'etcd' ? await startEtcd() : undefined;
      server = await launchServer({
        naming,
        args: ['--emulated-version=1.27'],
        ...(etcd === undefined ? {} : { etcd: etcd.endpoints }),
      });
      await establishKinds(server.client, names);
    });
    after(async () => {
      await server?.[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
    });
    for (const kind of testedKinds(names)) {
      describe(kind.title, { concurrency: 1 }, () => {
        const tested = new Tested(() => server, names, kind);
        describeReads(tested);
        describeWatches(tested);
        describeWrites(tested);
        describeApply(tested);
        describeSubresources(tested);
        describeValidation(tested);
      });
    }
  });
}
